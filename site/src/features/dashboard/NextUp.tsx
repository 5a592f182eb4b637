import { useStore } from '@nanostores/react';
import type { JobCardView } from '#core/job/view.ts';
import { JobRow, JobRowSkeleton } from '#site/jobs/JobRow.tsx';
import { $jobCards } from '#site/jobs/job-cards-store.ts';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { dayKey, dayKind, formatLongDay } from '#site/lib/time/moments.ts';
import { workAhead } from './next-up-store.ts';
import { Overdue } from './Overdue.tsx';

/** The next jobs on the schedule, with the call one tap away, below those that were not finished. */
export function NextUp() {
  const { status, data } = useQuery(workAhead);
  const cards = useStore($jobCards, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const jobs = data?.next.flatMap((id) => cards[id] ?? []) ?? [];
  return (
    <section aria-labelledby="next">
      <div className="section-head">
        <h2 id="next">Next up</h2>
        <a href={viewPath('today')}>Full schedule</a>
      </div>
      {status === 'pending' || !timeZone ? (
        <NextSkeleton />
      ) : (
        <>
          {data && data.overdueCount > 0 && <Overdue ahead={data} timeZone={timeZone} />}
          {jobs.length > 0 ? (
            <div className="card stack-card">
              {jobs.map((job, place) => (
                <Row key={job.id} job={job} before={jobs[place - 1]} timeZone={timeZone} />
              ))}
            </div>
          ) : (
            <p className="card muted">
              {data ? 'Nothing is booked ahead.' : 'These jobs could not be loaded.'}
            </p>
          )}
        </>
      )}
    </section>
  );
}

type RowProps = Readonly<{ job: JobCardView; before: JobCardView | undefined; timeZone: string }>;

/** A job, below a heading where its day is not the one above it; today needs none. */
function Row({ job, before, timeZone }: RowProps) {
  if (!job.scheduledAt) return null;
  const day = dayKey(job.scheduledAt, timeZone);
  const kind = dayKind(job.scheduledAt, timeZone, new Date());
  const isSameDay = before?.scheduledAt ? dayKey(before.scheduledAt, timeZone) === day : kind === 'today';
  return (
    <>
      {!isSameDay && (
        <h3 className={`day-heading day-heading--${kind}`}>{formatLongDay(job.scheduledAt, timeZone)}</h3>
      )}
      <JobRow job={job} timeZone={timeZone} withStatus={false} />
    </>
  );
}

function NextSkeleton() {
  return (
    <div className="card stack-card" aria-hidden="true">
      {[1, 2, 3, 4].map((place) => (
        <JobRowSkeleton key={place} />
      ))}
    </div>
  );
}
