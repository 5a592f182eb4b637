import { type ReactNode, useState } from 'react';
import { useAppForm } from '#site/ui/form/form.ts';
import { PasswordField } from '#site/ui/form/PasswordField.tsx';
import { contactDraft } from './contact-draft.ts';
import { storeContact } from './contact-store.ts';
import { FormAlert } from './FormAlert.tsx';
import { formFailure } from './form-failure.ts';
import type { Contact } from './security-api.ts';

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
  const [failure, setFailure] = useState<string | null>(null);
  const form = useAppForm({
    defaultValues: { [what]: draft.read() ?? '', currentPassword: '' } as Values,
    canSubmitWhenInvalid: true,
    listeners: {
      onChange: ({ formApi }) => {
        setFailure(null);
        const typed = formApi.state.values[what];
        if (typed) draft.write(typed);
        else draft.remove();
      },
    },
    onSubmit: async ({ value, formApi }) => {
      setFailure(null);
      try {
        const contact = await ask(value[what], value.currentPassword);
        draft.remove();
        storeContact(contact);
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
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.handleSubmit();
      }}
    >
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
    </form>
  );
}

type Values = { email: string; phone: string; currentPassword: string };
