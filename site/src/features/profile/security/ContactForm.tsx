import { useMemo, useRef, useState } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { isSmsCode } from '#core/values/registration-steps.ts';
import { CodeField } from '#site/ui/form/CodeField.tsx';
import { useAppForm } from '#site/ui/form/form.ts';
import { PasswordField } from '#site/ui/form/PasswordField.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { FormAlert, focusOnPart, formFailure, SettingForm, useSending } from './SettingPart.tsx';
import { type Contact, confirmPhone, contactDraft, resendPhoneCode, storeContact } from './security-api.ts';

type Props = Readonly<{
  what: 'email' | 'phone';
  /** The form's name and its button's. */
  label: string;
  button: string;
  /** The field of the new email or number. */
  field: Elements;
  problemOf(text: string): string | null;
  /** Asks for the change; throws as the API refuses it. */
  ask(text: string, currentPassword: string): Promise<Contact>;
  onDone(): void;
}>;

/** Asks for another email or mobile number, with the password. What is typed of it outlives a lost session. */
export function ContactForm({ what, label, button, field, problemOf, ask, onDone }: Props) {
  const [draft] = useState(() => contactDraft(what));
  const { failure, clear, send } = useSending();
  const form = useAppForm({
    defaultValues: { [what]: draft.read() ?? '', currentPassword: '' } as Values,
    canSubmitWhenInvalid: true,
    listeners: {
      onChange: ({ formApi }) => {
        clear();
        const typed = formApi.state.values[what];
        if (typed) draft.write(typed);
        else draft.remove();
      },
    },
    onSubmit: ({ value, formApi }) =>
      send(formApi, async () => {
        const contact = await ask(value[what], value.currentPassword);
        draft.remove();
        storeContact(contact);
        onDone();
      }),
  });
  return (
    <SettingForm label={label} onSend={() => form.handleSubmit()}>
      <form.AppField name={what} validators={{ onChange: ({ value }) => problemOf(value) }}>
        {() => field}
      </form.AppField>
      <form.AppField name="currentPassword">
        {() => <PasswordField label="Current Password" autoComplete="current-password" />}
      </form.AppField>
      <FormAlert message={failure} />
      <form.Subscribe selector={({ values, isSubmitting }) => ({ values, isSubmitting })}>
        {({ values, isSubmitting }) => (
          <button
            className="btn btn--primary"
            type="submit"
            disabled={isSubmitting || problemOf(values[what]) !== null || values.currentPassword === ''}
            aria-busy={isSubmitting}
          >
            {button}
          </button>
        )}
      </form.Subscribe>
    </SettingForm>
  );
}

type Values = { email: string; phone: string; currentPassword: string };

/** Takes the code that was sent to a new number, or has another one sent. */
export function PhoneCode({ pending }: Readonly<{ pending: NonNullable<Contact['pendingPhone']> }>) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [busyWith, setBusyWith] = useState<'code' | 'resend' | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // Counted from the answer on: the clock of the device may be wrong.
  const resendAt = useMemo(() => Date.now() + pending.resendAfter * 1_000, [pending]);
  async function run(what: 'code' | 'resend', work: () => Promise<void>): Promise<void> {
    setBusyWith(what);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      const { message, fields } = formFailure(error);
      setProblem(fields.code ? `Wrong code. ${fields.code}` : message);
      field.current?.focus();
    }
    setBusyWith(null);
  }
  const confirm = () =>
    run('code', async () => {
      const contact = await confirmPhone(code);
      focusOnPart(field.current);
      storeContact(contact);
      toast.success('Your mobile number was changed');
    });
  const resend = () =>
    run('resend', async () => {
      storeContact(await resendPhoneCode());
      setCode('');
      field.current?.focus();
    });
  return (
    <SettingForm label="Confirm the new number" onSend={confirm}>
      <CodeField
        sentTo={pending.value}
        code={code}
        problem={problem}
        field={field}
        onType={(digits) => {
          setCode(digits);
          setProblem(null);
        }}
        resendAt={resendAt}
        isResending={busyWith === 'resend'}
        onResend={() => void resend()}
      />
      <button
        className="btn btn--primary"
        type="submit"
        disabled={busyWith !== null || !isSmsCode(code)}
        aria-busy={busyWith === 'code'}
      >
        Confirm number
      </button>
    </SettingForm>
  );
}
