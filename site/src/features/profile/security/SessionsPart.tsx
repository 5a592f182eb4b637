import { useStore } from '@nanostores/react';
import { useQuery } from '#site/lib/http/use-query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { LoadFailure, PartsSkeleton } from '#site/ui/PanelStates.tsx';
import { toast } from '#site/ui/toast/toast.ts';
import { formFailure } from './form-failure.ts';
import { SessionRow } from './SessionRow.tsx';
import { sessionsQuery, signOutOthers } from './sessions-store.ts';

/** Where the account is signed in, each with its way out. */
export function SessionsPart() {
  const { data: sessions, status, error } = useQuery(sessionsQuery);
  const timeZone = useStore($session)?.user?.timeZone ?? 'UTC';
  const hasOthers = sessions?.some(({ current }) => !current) ?? false;
  return (
    <section className="settings__part" aria-labelledby="sessions">
      <h3 id="sessions">Where you are signed in</h3>
      {sessions ? (
        <ul className="rows">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} timeZone={timeZone} />
          ))}
        </ul>
      ) : status === 'error' ? (
        <LoadFailure message={error?.message ?? ''} onAgain={sessionsQuery.refresh} />
      ) : (
        <PartsSkeleton />
      )}
      {hasOthers && (
        <button className="btn btn--secondary" type="button" onClick={() => void endOthers()}>
          Sign out everywhere else
        </button>
      )}
    </section>
  );
}

async function endOthers(): Promise<void> {
  try {
    await signOutOthers();
    toast.dismiss('session');
    toast.success('Every other device was signed out');
  } catch (error) {
    toast.error(formFailure(error).message ?? '', { id: 'session' });
  }
}
