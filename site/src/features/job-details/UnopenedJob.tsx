import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import type { JobView } from '#core/job/view.ts';
import { cachedCard } from '#site/jobs/cached-card.ts';
import { JobCard } from '#site/jobs/JobCard.tsx';
import { OfflineNote } from '#site/jobs/OfflineNote.tsx';
import type { QueryState } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { BackLink } from './BackLink.tsx';
import { JobDetailsSkeleton } from './JobDetailsSkeleton.tsx';

type Props = Readonly<{ id: string; state: QueryState<JobView | null> }>;
type Cached = Awaited<ReturnType<typeof cachedCard>>;

const unknown = 'This job was not opened on this device yet. We’ll load it when you’re back.';
const inPart = 'This job was not opened on this device yet. This is what your list said of it';

/** A job on its way. While it cannot come: as much of it as a list holds that was loaded before. */
export function UnopenedJob({ id, state }: Props) {
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const [cached, setCached] = useState<Cached>(null);
  const isPaused = state.fetchStatus === 'paused';
  useEffect(() => {
    if (isPaused) void cachedCard(id).then(setCached);
  }, [id, isPaused]);
  if (!isPaused || !cached || !timeZone) {
    return (
      <>
        <OfflineNote shown={state} otherwise={unknown} />
        <JobDetailsSkeleton />
      </>
    );
  }
  return (
    <>
      <OfflineNote shown={{ ...state, updatedAt: cached.at }} what={inPart} />
      <div className="detail__head">
        <BackLink />
        <h1 className="sr">{cached.card.title}</h1>
      </div>
      <div className="job-grid">
        <JobCard job={cached.card} timeZone={timeZone} />
      </div>
    </>
  );
}
