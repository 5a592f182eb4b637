import { Icon } from '#site/ui/Icon.tsx';
import { type EmailCheck, recheckEmail } from './email-store.ts';

/** What the server answered about the email, below its field. That it is taken is the field's own message. */
export function EmailNote({ check, isFree }: Readonly<{ check: EmailCheck; isFree: boolean }>) {
  return (
    <>
      <p className="field__hint" role="status">
        {check.kind === 'checking' && 'Checking that it is free…'}
        {isFree && check.kind !== 'checking' && (
          <span className="wizard__ok">
            <Icon name="check" className="icon--sm" />
            This email is free
          </span>
        )}
      </p>
      {check.kind === 'unknown' && (
        <div className="alert alert--warning" role="alert">
          <Icon name="triangle-alert" />
          <div>
            {check.message}
            <button className="btn btn--secondary btn--sm" type="button" onClick={recheckEmail}>
              Check again
            </button>
          </div>
        </div>
      )}
    </>
  );
}
