import { Icon } from '#site/ui/Icon.tsx';

/** Shows that the form opened with what was typed before and not saved. */
export function UnsavedNote({ onDiscard }: Readonly<{ onDiscard(): void }>) {
  return (
    <div className="alert" role="status">
      <Icon name="info" />
      <div>
        <strong>Changes you have not saved yet</strong>
        They were kept from the last time.{' '}
        <button className="link" type="button" onClick={onDiscard}>
          Discard them
        </button>
      </div>
    </div>
  );
}
