import { useStore } from '@nanostores/react';
import { JobCard } from '#site/jobs/JobCard.tsx';
import { JobCardSkeleton } from '#site/jobs/JobCardSkeleton.tsx';
import { $jobCards } from '#site/jobs/job-cards-store.ts';
import { howManyWait } from '#site/jobs/list/new-jobs.ts';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { NotLoaded } from './NotLoaded.tsx';
import { waitingJobs } from './waiting-store.ts';

/** How many jobs wait for an answer now; those held for review count once they are answered. */
export function useWaitingCount(): number {
  const known = useQuery(waitingJobs).data?.known ?? [];
  const cards = useStore($jobCards, { ssr: 'initial' });
  return known.filter((id) => cards[id]?.status === 'Pending' && cards[id].heldFor === null).length;
}

/** The jobs that wait for an answer, to be answered on the spot. */
export function WaitingList() {
  const { status, data } = useQuery(waitingJobs);
  const cards = useStore($jobCards, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const shown = data?.ids.flatMap((id) => cards[id] ?? []) ?? [];
  const waiting = shown.filter((job) => job.status === 'Pending');
  const hasMore = data?.known.some((id) => !data.ids.includes(id));
  return (
    <section className="dash__waiting" aria-labelledby="waiting" data-answers>
      <div className="section-head">
        <h2 id="waiting" tabIndex={-1} data-answers-heading>
          Waiting on your answer
        </h2>
        {hasMore ? (
          <a href={viewPath('new')}>See all</a>
        ) : (
          waiting.length > 0 && <span className="dash__count">{howManyWait(waiting)}</span>
        )}
      </div>
      {status === 'pending' || !timeZone ? (
        <WaitingSkeleton />
      ) : (
        <div className="ask-list">
          {shown.map((job) => (
            <JobCard key={job.id} job={job} timeZone={timeZone} isNext={job === waiting[0]} />
          ))}
          {data && shown.length === 0 && (
            <p className="card muted">Nothing is waiting. New requests show up here.</p>
          )}
          {!data && <NotLoaded what="These jobs" onAgain={waitingJobs.refresh} />}
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
