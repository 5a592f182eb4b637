import { type ComponentProps, useId } from 'react';
import { afterPointerRelease } from '#site/lib/form/after-pointer-release.ts';
import { useFieldContext } from '#site/ui/form/form-context.ts';
import { FieldError } from './FieldError.tsx';
import { eagerProblem, shownProblem } from './shown-problem.ts';

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
export function TextField({ label, isOptional = false, refusal = null, isEager = false, ...input }: Props) {
  const field = useFieldContext<string>();
  const id = useId();
  const { value, meta } = field.state;
  const problem = refusal ?? (isEager ? eagerProblem(meta) : shownProblem(meta, value === ''));
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
        {isOptional && <span className="field__optional"> (optional)</span>}
      </label>
      <input
        className="input"
        id={id}
        name={field.name}
        value={value}
        onChange={(event) => field.handleChange(event.target.value)}
        onBlur={() => afterPointerRelease(field.handleBlur)}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        {...input}
      />
      <FieldError id={`${id}-problem`} message={problem} isLate={refusal !== null} />
    </div>
  );
}
