import { useStore } from '@nanostores/react';
import type { JobCardView } from '#core/job/view.ts';
import { JobRow, JobRowSkeleton } from '#site/jobs/JobRow.tsx';
import { $jobCards } from '#site/jobs/job-cards-store.ts';
import { viewPath } from '#site/jobs/view-path.ts';
import { useQuery } from '#site/lib/http/use-query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { dayKey, dayKind, formatDay, formatLongDay } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { NotLoaded } from './NotLoaded.tsx';
import { type Ahead, workAhead } from './next-up-store.ts';

/** Further than this the server counts no more. */
const mostCounted = 1_000;

/** So few stand open: each is then one tap away. */
const fewEnoughToShow = 3;

/** Jobs whose time went by and that are not finished: one line, and the jobs themselves a tap away. */
function Overdue({ ahead, timeZone }: { ahead: Ahead; timeZone: string }) {
  const cards = useStore($jobCards, { ssr: 'initial' });
  const jobs = ahead.overdue.flatMap((id) => cards[id] ?? []);
  const others = ahead.overdueCount - jobs.length;
  return (
    <details className="card stack-card overdue" open={ahead.overdueCount <= fewEnoughToShow}>
      <summary className="overdue__head">
        <Icon name="calendar-clock" />
        <span>
          <strong>{inWords(ahead.overdueCount)}</strong>
          <span>not finished yet</span>
          <small>{sinceWhen(jobs[0]?.scheduledAt, timeZone)}</small>
        </span>
        <Icon name="chevron-down" className="overdue__open" />
      </summary>
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} timeZone={timeZone} lead="status" />
      ))}
      {others > 0 && <p className="overdue__rest muted">And {inWords(others)} more on the schedule.</p>}
    </details>
  );
}

function inWords(count: number): string {
  if (count >= mostCounted) return `${mostCounted} or more jobs`;
  return count === 1 ? '1 job' : `${count} jobs`;
}

function sinceWhen(oldest: string | null | undefined, timeZone: string): string {
  if (!oldest) return '';
  return dayKind(oldest, timeZone, new Date()) === 'today'
    ? 'from earlier today'
    : `since ${formatDay(oldest, timeZone)}`;
}

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
          ) : data ? (
            <p className="card muted">Nothing is booked ahead.</p>
          ) : (
            <NotLoaded what="These jobs" onAgain={workAhead.refresh} />
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
      <JobRow job={job} timeZone={timeZone} isNow={!before && kind === 'today'} />
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
