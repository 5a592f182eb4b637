import { useState } from 'react';
import type { Elements } from 'react/jsx-runtime';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { profileQuery } from '#site/lib/profile-settings.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { IconName } from '#site/ui/icons.ts';

/** What an account has left undone, with jobs or without, until it is done: the email to confirm, and a phone that customers see. */
export function ToFinish() {
  const { data: profile } = useQuery(profileQuery);
  if (!profile || (profile.emailConfirmed && profile.showsPhone)) return null;
  return (
    <section className="card first" aria-labelledby="to-finish">
      <h2 id="to-finish" className="first__head">
        Still to do
      </h2>
      <ul>
        {!profile.emailConfirmed && <ConfirmEmail email={profile.email} />}
        {!profile.showsPhone && (
          <Line mark="phone" name="No phone on your public page" note="Customers can write to you, not call">
            <a className="btn btn--secondary" href="/profile?panel=security">
              Show it
            </a>
          </Line>
        )}
      </ul>
    </section>
  );
}

const sending = 'Sending …';

/** The answer to the press stands where it was pressed. */
function ConfirmEmail({ email }: { email: string }) {
  const [note, setNote] = useState(`Open the link we sent to ${email}`);
  const send = async () => {
    setNote(sending);
    try {
      await request('POST', '/authenticate/email/confirmation');
      setNote(`Sent again to ${email}. Look in your spam, too`);
    } catch (error) {
      setNote(error instanceof ApiError ? error.message : unknownFailure);
    }
  };
  return (
    <Line mark="mail" name="Your email is not confirmed" note={note} answers>
      <button
        className="btn btn--secondary"
        type="button"
        aria-disabled={note === sending}
        onClick={note === sending ? undefined : send}
      >
        Send the link again
      </button>
    </Line>
  );
}

type LineProps = Readonly<{
  /** What stands before it until it is done. */
  mark: number | IconName;
  isDone?: boolean;
  name: string;
  note: string;
  /** Whether the note is the answer to a press. */
  answers?: boolean;
  children: Elements;
}>;

/** A line of what is to be done, with what does it. */
export function Line({ mark, isDone = false, name, note, answers = false, children }: LineProps) {
  const icon = isDone ? 'check' : mark;
  return (
    <li className={isDone ? 'is-done' : undefined}>
      <i aria-hidden="true">{typeof icon === 'number' ? icon : <Icon name={icon} className="icon--sm" />}</i>
      <span>
        <b>{name}</b>
        {isDone && <span className="sr">, done</span>}
        <small role={answers ? 'status' : undefined}>{note}</small>
      </span>
      {children}
    </li>
  );
}
