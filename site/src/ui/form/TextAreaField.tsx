import { type ComponentProps, useId } from 'react';
import { afterPointerRelease } from '#site/lib/form/after-pointer-release.ts';
import { useFieldContext } from '#site/ui/form/form-context.ts';
import { FieldError } from './FieldError.tsx';
import { shownProblem } from './shown-problem.ts';

type Props = Readonly<{ label: string }> &
  Pick<ComponentProps<'textarea'>, 'rows' | 'maxLength' | 'placeholder'>;

/** Lines of text with their label and their message. */
export function TextAreaField({ label, ...area }: Props) {
  const field = useFieldContext<string>();
  const id = useId();
  const { value, meta } = field.state;
  const problem = shownProblem(meta, value === '');
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <textarea
        className="textarea"
        id={id}
        name={field.name}
        value={value}
        onChange={(event) => field.handleChange(event.target.value)}
        onBlur={() => afterPointerRelease(field.handleBlur)}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        {...area}
      />
      <FieldError id={`${id}-problem`} message={problem} />
    </div>
  );
}
