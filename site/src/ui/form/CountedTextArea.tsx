import { useId } from 'react';
import { useFieldContext } from '#site/ui/form/form-context.ts';

type Props = Readonly<{
  label: string;
  rows: number;
  maxLength: number;
  placeholder?: string;
  hideLabel?: boolean;
}>;

/** Lines of text that end at `maxLength`, with how many characters they have. */
export function CountedTextArea({ label, rows, maxLength, placeholder, hideLabel = false }: Props) {
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
        maxLength={maxLength}
        placeholder={placeholder}
        onChange={(event) => field.handleChange(event.target.value)}
        onBlur={field.handleBlur}
        aria-describedby={`${id}-count`}
      />
      <p className="field__counter num" id={`${id}-count`}>
        {`${value.length}/${maxLength} characters`}
      </p>
    </div>
  );
}
