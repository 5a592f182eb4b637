import { Icon } from '#site/ui/Icon.tsx';
import { botCheckRetry, openRegistration } from './wizard-store.ts';

/** Why the wizard does not show: the bot check was not passed, or the draft did not load. */
export function WizardStopped({ kind, message }: Readonly<{ kind: 'blocked' | 'failed'; message: string }>) {
  return (
    <div className="wizard wizard--stopped" role="alert">
      <span className="empty__sign empty__sign--error">
        <Icon name="circle-alert" />
      </span>
      <h1>{message}</h1>
      <p className="lede">
        {kind === 'blocked'
          ? `Before you begin we check that you are a person. We try again every ${botCheckRetry / 1_000} seconds.`
          : 'What you have entered so far is kept.'}
      </p>
      <button className="btn btn--primary btn--lg" type="button" onClick={() => void openRegistration()}>
        <Icon name="refresh-cw" />
        Try again
      </button>
    </div>
  );
}
