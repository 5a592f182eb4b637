import { useStore } from '@nanostores/react';
import type { JobCardView } from '#core/job/view.ts';
import type { scheduleLimits } from '#core/values/time.ts';
import { $waiting } from '#site/jobs/changes/changes-store.ts';
import { JobCard, JobCardSkeleton } from '#site/jobs/JobCard.tsx';
import { JobRow, JobRowSkeleton } from '#site/jobs/JobRow.tsx';
import { $jobCards } from '#site/jobs/job-stores.ts';
import { howManyWait } from '#site/jobs/leads/lead-order.ts';
import { viewPath } from '#site/jobs/list/list-place.ts';
import { Steady } from '#site/jobs/list/Steady.tsx';
import { useArrivals } from '#site/jobs/list/use-arrivals.ts';
import { useQuery } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { dayKey, dayKind, formatDay, formatLongDay } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import { type Ahead, waitingJobs, workAhead } from './dashboard-stores.ts';

/** Further than this the server counts no more. Written out, as the file it stands in would come along with every page. */
const mostCounted: (typeof scheduleLimits)['overdueCount'] = 1_000;

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
      {others > 0 && <p className="overdue__rest muted">{`And ${inWords(others)} more on the schedule.`}</p>}
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

/** How many jobs wait for an answer now; those held for review count once they are answered. */
export function useWaitingCount(): number {
  const known = useQuery(waitingJobs).data?.known ?? [];
  const cards = useStore($jobCards, { ssr: 'initial' });
  const queued = useStore($waiting, { ssr: 'initial' });
  return known.filter((id) => !queued[id] && cards[id]?.status === 'Pending' && cards[id].heldFor === null)
    .length;
}

/** The jobs that wait for an answer, to be answered on the spot. */
export function WaitingList() {
  const { status, data } = useQuery(waitingJobs);
  const cards = useStore($jobCards, { ssr: 'initial' });
  const timeZone = useStore($session, { ssr: () => null })?.user?.timeZone;
  const held = useArrivals(waitingJobs);
  const shown = data?.ids.flatMap((id) => (held.includes(id) ? [] : (cards[id] ?? []))) ?? [];
  const queued = useStore($waiting, { ssr: 'initial' });
  const waiting = shown.filter((job) => job.status === 'Pending' && !queued[job.id]);
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
          <Steady>
            {shown.map((job) => (
              <JobCard key={job.id} job={job} timeZone={timeZone} isNext={job === waiting[0]} />
            ))}
          </Steady>
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

type Props = Readonly<{
  /** What is missing, as a sentence begins with it: `These jobs`. */
  what: string;
  onAgain(): unknown;
}>;

/** In place of a part of the dashboard that could not be loaded, until it is: each part says it of itself alone. */
export function NotLoaded({ what, onAgain }: Props) {
  return (
    <div className="card not-loaded" role="alert">
      <p>{`${what} could not be loaded.`}</p>
      <button className="btn btn--secondary btn--sm" type="button" onClick={() => void onAgain()}>
        Try again
      </button>
    </div>
  );
}
