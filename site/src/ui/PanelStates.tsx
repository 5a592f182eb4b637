import { Icon } from './Icon.tsx';

/** In place of what could not be loaded, with a way to try again. */
export function LoadFailure({ message, onAgain }: Readonly<{ message: string; onAgain(): unknown }>) {
  return (
    <div className="empty" role="alert">
      <span className="empty__sign empty__sign--error">
        <Icon name="circle-alert" />
      </span>
      <p>{message}</p>
      <button className="btn btn--secondary" type="button" onClick={() => void onAgain()}>
        <Icon name="refresh-cw" />
        <span>Try again</span>
      </button>
    </div>
  );
}

type PartsLoadingProps = Readonly<{
  status: 'pending' | 'error' | 'success';
  error: Readonly<{ message: string }> | undefined;
  onAgain(): unknown;
}>;

/** In place of a panel's parts while they load, or because they could not. */
export function PartsLoading({ status, error, onAgain }: PartsLoadingProps) {
  return status === 'error' ? (
    <LoadFailure message={error?.message ?? ''} onAgain={onAgain} />
  ) : (
    <PartsSkeleton />
  );
}

/** The shape of a panel's parts while they load. */
export function PartsSkeleton() {
  return (
    <div className="panel__parts" role="status">
      <span className="sk sk--block panel__sk" />
      <span className="sk sk--block panel__sk" />
      <span className="sr">Loading…</span>
    </div>
  );
}
