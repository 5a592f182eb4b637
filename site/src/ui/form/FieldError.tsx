import { Icon } from '#site/ui/Icon.tsx';

type Props = Readonly<{
  id: string;
  message: string | null;
  /** It appears by itself, after an answer of the server, and is read out as it does. */
  isLate?: boolean;
}>;

/** What is wrong with a field, below it. The field names this by its id. */
export function FieldError({ id, message, isLate = false }: Props) {
  if (message === null) return null;
  return (
    <p className="field__error" id={id} role={isLate ? 'alert' : undefined}>
      <Icon name="circle-alert" />
      <span>{message}</span>
    </p>
  );
}
