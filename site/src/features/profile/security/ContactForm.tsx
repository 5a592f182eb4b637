import { type ReactNode, type SyntheticEvent, useId, useRef, useState } from 'react';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { useAppForm } from '#site/ui/form/form.ts';
import { PasswordField } from '#site/ui/form/PasswordField.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { FormAlert, focusOnPart, formFailure, SettingForm, useSending } from './SettingPart.tsx';
import { type Contact, confirmPhone, contactDraft, storeContact } from './security-api.ts';

type Props = Readonly<{
  what: 'email' | 'phone';
  /** The form's name and its button's. */
  label: string;
  button: string;
  /** The field of the new email or number. */
  field: ReactNode;
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

const codeLength = 6;

/** Takes the code that was sent to a new number. */
export function PhoneCode() {
  const id = useId();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const type = (typed: string) => {
    setCode(typed.replace(/\D/g, '').slice(0, codeLength));
    setProblem(null);
  };
  const confirm = async (event: SyntheticEvent) => {
    event.preventDefault();
    setSending(true);
    setProblem(null);
    try {
      const contact = await confirmPhone(code);
      focusOnPart(field.current);
      storeContact(contact);
      toast.success('Your mobile number was changed');
    } catch (error) {
      const { message, fields } = formFailure(error);
      setProblem(fields.code ? `Wrong code. ${fields.code}` : message);
      setSending(false);
      field.current?.focus();
    }
  };
  return (
    <form
      className="settings__form"
      aria-label="Confirm the new number"
      onSubmit={(event) => void confirm(event)}
    >
      <div className="field">
        <label className="field__label" htmlFor={id}>
          Code
        </label>
        <input
          className="input code"
          id={id}
          inputMode="numeric"
          autoComplete="one-time-code"
          // A code that is pasted may have spaces.
          maxLength={20}
          ref={field}
          value={code}
          onChange={({ target }) => type(target.value)}
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : `${id}-problem`}
        />
        <FieldError id={`${id}-problem`} message={problem} isLate />
      </div>
      <button
        className="btn btn--primary"
        type="submit"
        disabled={isSending || code.length !== codeLength}
        aria-busy={isSending}
      >
        Confirm number
      </button>
    </form>
  );
}
