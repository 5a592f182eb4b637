import { useState } from 'react';
import { passwordProblems } from '#core/values/account.ts';
import { confirmProblem, newPasswordProblem } from '#site/lib/form/new-password.ts';
import { useAppForm } from '#site/ui/form/form.ts';
import { PasswordField, WhosePassword } from '#site/ui/form/PasswordField.tsx';
import { PasswordRules } from '#site/ui/form/PasswordRules.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { FormAlert } from './FormAlert.tsx';
import { formFailure } from './form-failure.ts';
import { SettingPart } from './SettingPart.tsx';
import { changePassword } from './security-api.ts';
import { sessionsQuery } from './sessions-store.ts';

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Changes the password. Every other device is signed out with it. */
export function PasswordPart({ email }: Readonly<{ email: string }>) {
  return (
    <SettingPart title="Password" value="••••••••••••" change="Change password">
      {(close) => <PasswordForm email={email} onDone={close} />}
    </SettingPart>
  );
}

function PasswordForm({ email, onDone }: Readonly<{ email: string; onDone(): void }>) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useAppForm({
    defaultValues: empty,
    canSubmitWhenInvalid: true,
    listeners: { onChange: () => setFailure(null) },
    onSubmit: async ({ value, formApi }) => {
      setFailure(null);
      try {
        toast.success(await changePassword(value));
        void sessionsQuery.refresh();
        onDone();
      } catch (error) {
        const { message, fields } = formFailure(error);
        setFailure(message);
        formApi.setErrorMap({ onSubmit: { form: undefined, fields } });
      }
    },
  });
  return (
    <form
      className="settings__form"
      aria-label="Change password"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
    >
      <WhosePassword email={email} />
      <form.AppField name="currentPassword">
        {() => <PasswordField label="Current Password" autoComplete="current-password" />}
      </form.AppField>
      <form.AppField name="newPassword" validators={{ onChange: ({ value }) => tooLong(value) }}>
        {({ state }) => (
          <PasswordField label="New Password" autoComplete="new-password">
            <PasswordRules password={state.value} />
          </PasswordField>
        )}
      </form.AppField>
      <form.AppField
        name="confirmPassword"
        validators={{
          onChangeListenTo: ['newPassword'],
          onChange: ({ fieldApi }) => confirmProblem(fieldApi.form.state.values, true),
        }}
      >
        {() => <PasswordField label="Confirm Password" autoComplete="new-password" />}
      </form.AppField>
      <FormAlert message={failure} />
      <form.Subscribe selector={({ values, isSubmitting }) => ({ values, isSubmitting })}>
        {({ values, isSubmitting }) => (
          <button
            className="btn btn--primary"
            type="submit"
            disabled={isSubmitting || values.currentPassword === '' || newPasswordProblem(values) !== null}
            aria-busy={isSubmitting}
          >
            Save new password
          </button>
        )}
      </form.Subscribe>
    </form>
  );
}

/** What the list of rules below the field does not cover. */
function tooLong(password: string): string | undefined {
  const rules = passwordProblems('');
  return passwordProblems(password).find((problem) => !rules.includes(problem));
}
