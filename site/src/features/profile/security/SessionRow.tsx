import { useState } from 'react';
import { formatDateTime } from '#site/lib/time/moments.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { formFailure } from './form-failure.ts';
import type { OpenSession } from './security-api.ts';
import { sessionsQuery, signOut } from './sessions-store.ts';

/** One session: on what, since when, and its way out. This browser's own leads through the logout. */
export function SessionRow({ session, timeZone }: Readonly<{ session: OpenSession; timeZone: string }>) {
  const [isEnding, setEnding] = useState(false);
  const { id, device, current, createdAt, lastSeenAt } = session;
  const end = async () => {
    setEnding(true);
    try {
      await signOut(id);
      toast.dismiss('session');
      toast.success(`${device} was signed out`);
    } catch (error) {
      setEnding(false);
      toast.error(formFailure(error).message ?? '', { id: 'session' });
      void sessionsQuery.refresh();
    }
  };
  const name = (
    <>
      Sign out
      <span className="sr">
        {' '}
        of {device}
        {current && ', this device'}
      </span>
    </>
  );
  return (
    <li className="session">
      <div className="row__text">
        <strong>{device}</strong>
        {current && <span className="plan session__here">This device</span>}
        <span className="row__note">
          Signed in {inWords(createdAt, timeZone)}
          {!current && `, last seen ${inWords(lastSeenAt, timeZone)}`}
        </span>
      </div>
      {current ? (
        <a className="btn btn--secondary btn--sm" href="/logout">
          {name}
        </a>
      ) : (
        <button
          className="btn btn--secondary btn--sm"
          type="button"
          disabled={isEnding}
          onClick={() => void end()}
        >
          {name}
        </button>
      )}
    </li>
  );
}

function inWords(instant: string, timeZone: string): string {
  return formatDateTime(instant, timeZone, new Date());
}
