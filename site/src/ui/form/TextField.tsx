import { type ChangeEvent, type ComponentProps, useId } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { groupPhone } from '#core/values/phone.ts';
import { countCharacters } from '#core/values/text.ts';
import { FieldError } from './FieldError.tsx';
import { afterPointerRelease, eagerProblem, shownProblem, useFieldContext } from './form-context.ts';
import { takeAtMost } from './text-limit.ts';

type Props = Readonly<{
  label: string;
  isOptional?: boolean;
  /** What another part found wrong with it, as the server. */
  refusal?: string | null;
  /** Its message follows every change, also to an empty field. */
  isEager?: boolean;
}> &
  Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'autoComplete' | 'maxLength' | 'placeholder'>;

/** A line of text with its label and its message. */
export function TextField({
  label,
  isOptional = false,
  refusal = null,
  isEager = false,
  maxLength,
  ...input
}: Props) {
  const field = useFieldContext<string>();
  const id = useId();
  const { value, meta } = field.state;
  const problem = refusal ?? (isEager ? eagerProblem(meta) : shownProblem(meta, value === ''));
  return (
    <Labelled {...{ id, label, isOptional, problem }} isLate={refusal !== null}>
      <input className="input" {...controlOf(field, id, problem, maxLength)} {...input} />
    </Labelled>
  );
}

type Field = ReturnType<typeof useFieldContext<string>>;

/** What makes a control that of a field: its value, its changes up to `most` characters, and its message. */
function controlOf(field: Field, id: string, problem: string | null, most = Number.POSITIVE_INFINITY) {
  return {
    id,
    name: field.name,
    value: field.state.value,
    onChange: takeAtMost(most, field.handleChange),
    onBlur: () => afterPointerRelease(field.handleBlur),
    'aria-invalid': problem !== null,
    'aria-describedby': problem === null ? undefined : `${id}-problem`,
  };
}

type LabelledProps = Readonly<{
  id: string;
  label: string;
  isOptional?: boolean;
  problem: string | null;
  isLate?: boolean;
  children: Elements;
}>;

/** A control between its label and its message. */
function Labelled({ id, label, isOptional = false, problem, isLate = false, children }: LabelledProps) {
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        <span>{label}</span>
        {isOptional && <span className="field__optional"> (optional)</span>}
      </label>
      {children}
      <FieldError id={`${id}-problem`} message={problem} isLate={isLate} />
    </div>
  );
}

type TextAreaFieldProps = Readonly<{ label: string }> &
  Pick<ComponentProps<'textarea'>, 'rows' | 'maxLength' | 'placeholder'>;

/** Lines of text with their label and their message. */
export function TextAreaField({ label, maxLength, ...area }: TextAreaFieldProps) {
  const field = useFieldContext<string>();
  const id = useId();
  const { value, meta } = field.state;
  const problem = shownProblem(meta, value === '');
  return (
    <Labelled {...{ id, label, problem }}>
      <textarea className="textarea" {...controlOf(field, id, problem, maxLength)} {...area} />
    </Labelled>
  );
}

type CountedTextAreaProps = Readonly<{
  label: string;
  rows: number;
  maxLength: number;
  placeholder?: string;
  hideLabel?: boolean;
}>;

/** Lines of text that end at `maxLength`, with how many characters they have. */
export function CountedTextArea({
  label,
  rows,
  maxLength,
  placeholder,
  hideLabel = false,
}: CountedTextAreaProps) {
  const field = useFieldContext<string>();
  const id = useId();
  const { value } = field.state;
  return (
    <div className="field">
      <label className={hideLabel ? 'sr' : 'field__label'} htmlFor={id}>
        {label}
      </label>
      <textarea
        className="textarea"
        id={id}
        name={field.name}
        rows={rows}
        value={value}
        placeholder={placeholder}
        onChange={takeAtMost(maxLength, field.handleChange)}
        onBlur={field.handleBlur}
        aria-describedby={`${id}-count`}
      />
      <p className="field__counter num" id={`${id}-count`}>
        {`${countCharacters(value)}/${maxLength} characters`}
      </p>
    </div>
  );
}

type PhoneFieldProps = Readonly<{
  label: string;
  autoComplete?: string;
  /** What another part found wrong with it, as the server. */
  refusal?: string | null;
}>;

/** A mobile number of Australia or New Zealand, grouped as it is typed with the caret in its place. */
export function PhoneField({ label, autoComplete, refusal = null }: PhoneFieldProps) {
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
    <Labelled {...{ id, label, problem }} isLate={refusal !== null}>
      <input
        className="input num"
        {...controlOf(field, id, problem)}
        type="tel"
        inputMode="tel"
        autoComplete={autoComplete}
        maxLength={40}
        onChange={type}
      />
    </Labelled>
  );
}
