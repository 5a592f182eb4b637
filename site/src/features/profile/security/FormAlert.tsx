import { Icon } from '#site/ui/Icon.tsx';

/** Why a form was not taken, above its button. */
export function FormAlert({ message }: Readonly<{ message: string | null }>) {
  if (message === null) return null;
  return (
    <div className="alert alert--error" role="alert">
      <Icon name="circle-alert" />
      <div>{message}</div>
    </div>
  );
}
