import { type ChangeEvent, useId } from 'react';
import { groupPhone } from '#core/values/contact.ts';
import { FieldError } from './FieldError.tsx';
import { afterPointerRelease, shownProblem, useFieldContext } from './form-context.ts';

type Props = Readonly<{
  label: string;
  autoComplete?: string;
  /** What another part found wrong with it, as the server. */
  refusal?: string | null;
}>;

/** A mobile number of Australia or New Zealand, grouped as it is typed with the caret in its place. */
export function PhoneField({ label, autoComplete, refusal = null }: Props) {
  const field = useFieldContext<string>();
  const id = useId();
  const { value, meta } = field.state;
  const problem = refusal ?? shownProblem(meta, value === '');

  function type({ target }: ChangeEvent<HTMLInputElement>): void {
    const { text, caret } = groupPhone(target.value, target.selectionStart ?? target.value.length);
    // In the document before React draws: a value that is there already leaves the caret alone.
    target.value = text;
    target.setSelectionRange(caret, caret);
    field.handleChange(text);
  }

  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <input
        className="input num"
        id={id}
        name={field.name}
        type="tel"
        inputMode="tel"
        autoComplete={autoComplete}
        maxLength={40}
        value={value}
        onChange={type}
        onBlur={() => afterPointerRelease(field.handleBlur)}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
      />
      <FieldError id={`${id}-problem`} message={problem} isLate={refusal !== null} />
    </div>
  );
}
