import { useStore } from '@nanostores/react';
import { Icon } from '#site/ui/Icon.tsx';
import type { TestedChannel } from './notifications-api.ts';
import { $testAlert, askForTestAlert } from './test-alert-store.ts';

const signs = { sent: 'circle-check-big', failed: 'circle-alert', off: 'ban' } as const;
const channelNames = { email: 'Email', sms: 'SMS' } as const;

/** Sends an alert as a new job would, and shows for each channel whether it went out. */
export function TestAlertButton() {
  const alert = useStore($testAlert);
  const isSending = alert.phase === 'sending';
  return (
    <section className="settings__part" aria-labelledby="test-alert">
      <h3 id="test-alert">Do alerts reach you?</h3>
      <p className="muted">Better to find out now than from a customer.</p>
      <button
        className="btn btn--secondary"
        type="button"
        aria-busy={isSending}
        aria-disabled={isSending}
        onClick={() => void askForTestAlert()}
      >
        {!isSending && <Icon name="send" />}
        {isSending ? 'Sending…' : 'Send me a test alert'}
      </button>
      <div role="status">
        {alert.phase === 'failed' && (
          <div className="alert alert--error">
            <Icon name="circle-alert" />
            <div>
              <strong>No test alert was sent</strong>
              {alert.message}
            </div>
          </div>
        )}
        {alert.phase === 'sent' && (
          <ul className="rows">
            {(['email', 'sms'] as const).map((channel) => (
              <TestedRow key={channel} name={channelNames[channel]} tested={alert.channels[channel]} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function TestedRow({ name, tested }: Readonly<{ name: string; tested: TestedChannel }>) {
  return (
    <li className="tested" data-outcome={tested.outcome}>
      <Icon name={signs[tested.outcome]} />
      <div>
        <strong>{name}</strong>
        {tested.message}
      </div>
    </li>
  );
}
