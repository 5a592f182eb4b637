import { useState } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { ApiError, request } from '#site/lib/http/api.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { Icon } from '#site/ui/Icon.tsx';

/** What a new account has left undone, until it is done: the email that its owner confirms, and a phone that customers see. */
export function ToFinish() {
  const { data: profile } = useQuery(profileQuery);
  if (!profile || (profile.emailConfirmed && profile.showsPhone)) return null;
  return (
    <section className="card first" aria-labelledby="to-finish">
      <div className="first__head">
        <h2 id="to-finish">Still to do</h2>
      </div>
      <ul>
        {!profile.emailConfirmed && <ConfirmEmail email={profile.email} />}
        {!profile.showsPhone && (
          <Line icon="phone" name="No phone on your public page" note="Customers can write to you, not call">
            <a className="btn btn--secondary" href="/profile?panel=business-details">
              Show it
            </a>
          </Line>
        )}
      </ul>
    </section>
  );
}

/** The answer to the press stands where it was pressed. */
function ConfirmEmail({ email }: { email: string }) {
  const [isSending, setSending] = useState(false);
  const [note, setNote] = useState(`Open the link that we sent to ${email}`);
  const send = async () => {
    setSending(true);
    try {
      await request('POST', '/authenticate/email/confirmation');
      setNote(`Sent again to ${email}. Have a look in your spam folder, too`);
    } catch (error) {
      setNote(error instanceof ApiError ? error.message : 'That did not go through. Please try again.');
    }
    setSending(false);
  };
  return (
    <Line icon="mail" name="Your email is not confirmed" note={note}>
      <button
        className="btn btn--secondary"
        type="button"
        aria-disabled={isSending}
        onClick={() => {
          if (!isSending) void send();
        }}
      >
        Send the link again
      </button>
    </Line>
  );
}

type LineProps = Readonly<{ icon: 'mail' | 'phone'; name: string; note: string; children: Elements }>;

function Line({ icon, name, note, children }: LineProps) {
  return (
    <li>
      <i aria-hidden="true">
        <Icon name={icon} className="icon--sm" />
      </i>
      <span>
        <b>{name}</b>
        <small role="status">{note}</small>
      </span>
      {children}
    </li>
  );
}
