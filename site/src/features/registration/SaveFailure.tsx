import { useStore } from '@nanostores/react';
import { Icon } from '#site/ui/Icon.tsx';
import { $saveFailure } from './registration-store.ts';

/** Why the last Next or Back did not get through, for as long as that is so. */
export function SaveFailure() {
  const failure = useStore($saveFailure);
  if (failure === null) return null;
  return (
    <div className="alert alert--error" role="alert">
      <Icon name="circle-alert" />
      <div>
        <strong>{failure.message}</strong>
        What you entered is kept. Press Next or Back to try again.
      </div>
    </div>
  );
}
