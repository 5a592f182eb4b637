import { useStore } from '@nanostores/react';
import { JobCard } from '#site/jobs/JobCard.tsx';
import { JobCardSkeleton } from '#site/jobs/JobCardSkeleton.tsx';
import { $jobCards } from '#site/jobs/job-cards-store.ts';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { waitingJobs } from './waiting-store.ts';

/** The jobs that wait for an answer, to be answered on the spot. */
export function WaitingList() {
  const { status, data } = useQuery(waitingJobs);
  const cards = useStore($jobCards, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const shown = data?.ids.flatMap((id) => cards[id] ?? []) ?? [];
  const hasMore = data?.known.some((id) => !data.ids.includes(id));
  return (
    <section aria-labelledby="waiting">
      <div className="section-head">
        <h2 id="waiting">Waiting on your answer</h2>
        {hasMore && <a href={viewPath('new')}>See all</a>}
      </div>
      {status === 'pending' || !timeZone ? (
        <WaitingSkeleton />
      ) : (
        <div className="ask-list">
          {shown.map((job) => (
            <JobCard key={job.id} job={job} timeZone={timeZone} />
          ))}
          {data && shown.length === 0 && (
            <p className="card muted">Nothing is waiting. New requests show up here.</p>
          )}
          {!data && <p className="card muted">These jobs could not be loaded.</p>}
        </div>
      )}
    </section>
  );
}

function WaitingSkeleton() {
  return (
    <div className="ask-list" aria-hidden="true">
      <JobCardSkeleton isLead />
      <JobCardSkeleton isLead />
    </div>
  );
}
