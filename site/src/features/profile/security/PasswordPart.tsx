import { useState } from 'react';
import { passwordProblems } from '#core/values/account.ts';
import { formatDateTime } from '#site/lib/time/moments.ts';
import { useAppForm } from '#site/ui/form/form.ts';
import { confirmProblem, newPasswordProblem } from '#site/ui/form/new-password.ts';
import { PasswordField, PasswordRules, WhosePassword } from '#site/ui/form/PasswordField.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { FormAlert, formFailure, SettingForm, SettingPart, useSending } from './SettingPart.tsx';
import { changePassword, type OpenSession, sessionsQuery, signOut } from './security-api.ts';

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
  const { failure, clear, send } = useSending();
  const form = useAppForm({
    defaultValues: empty,
    canSubmitWhenInvalid: true,
    listeners: { onChange: clear },
    onSubmit: ({ value, formApi }) =>
      send(formApi, async () => {
        toast.success(await changePassword(value));
        void sessionsQuery.refresh();
        onDone();
      }),
  });
  return (
    <SettingForm label="Change password" onSend={() => form.handleSubmit()}>
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
    </SettingForm>
  );
}

/** What the list of rules below the field does not cover. */
function tooLong(password: string): string | undefined {
  const rules = passwordProblems('');
  return passwordProblems(password).find((problem) => !rules.includes(problem));
}

/** One session: on what, since when, and its way out. This browser's own leads through the logout. */
export function SessionRow({ session, timeZone }: Readonly<{ session: OpenSession; timeZone: string }>) {
  const [isEnding, setEnding] = useState(false);
  const { id, device, current, createdAt, lastSeenAt } = session;
  const end = async () => {
    setEnding(true);
    try {
      await signOut(id);
      toast.dismiss('session');
      toast.success(`${device} was signed out`);
    } catch (error) {
      setEnding(false);
      toast.error(formFailure(error).message ?? '', { id: 'session' });
      void sessionsQuery.refresh();
    }
  };
  const name = (
    <>
      <span>Sign out</span>
      <span className="sr">{` of ${device}${current ? ', this device' : ''}`}</span>
    </>
  );
  return (
    <li className="session">
      <div className="row__text">
        <strong>{device}</strong>
        {current && <span className="plan session__here">This device</span>}
        <span className="row__note">
          {current
            ? `Signed in ${inWords(createdAt, timeZone)}`
            : `Signed in ${inWords(createdAt, timeZone)}, last seen ${inWords(lastSeenAt, timeZone)}`}
        </span>
      </div>
      {current ? (
        <a className="btn btn--secondary btn--sm" href="/logout">
          {name}
        </a>
      ) : (
        <button
          className="btn btn--secondary btn--sm"
          type="button"
          disabled={isEnding}
          onClick={() => void end()}
        >
          {name}
        </button>
      )}
    </li>
  );
}

function inWords(instant: string, timeZone: string): string {
  return formatDateTime(instant, timeZone, new Date());
}
