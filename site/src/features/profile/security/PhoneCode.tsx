import { type SyntheticEvent, useId, useState } from 'react';
import { FieldError } from '#site/ui/form/FieldError.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { storeContact } from './contact-store.ts';
import { formFailure } from './form-failure.ts';
import { confirmPhone } from './security-api.ts';

const codeLength = 6;

/** Takes the code that was sent to a new number. */
export function PhoneCode() {
  const id = useId();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const type = (typed: string) => {
    setCode(typed.replace(/\D/g, ''));
    setProblem(null);
  };
  const confirm = async (event: SyntheticEvent) => {
    event.preventDefault();
    setSending(true);
    setProblem(null);
    try {
      storeContact(await confirmPhone(code));
      toast.success('Your mobile number was changed');
    } catch (error) {
      const { message, fields } = formFailure(error);
      setProblem(fields.code ? `Wrong code. ${fields.code}` : message);
      setSending(false);
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
          maxLength={codeLength}
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
