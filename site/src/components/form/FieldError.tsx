import { Icon } from '#site/components/ui/Icon.tsx';

/** What is wrong with a field, below it. The field names this by its id. */
export function FieldError({ id, message }: Readonly<{ id: string; message: string | null }>) {
  if (message === null) return null;
  return (
    <p className="field__error" id={id}>
      <Icon name="circle-alert" />
      {message}
    </p>
  );
}
