import { useStore } from '@nanostores/react';
import { JobRow } from '#site/jobs/JobRow.tsx';
import { $jobCards } from '#site/jobs/job-cards-store.ts';
import { dayKind, formatDay } from '#site/lib/time/moments.ts';
import { Icon } from '#site/ui/Icon.tsx';
import type { Ahead } from './next-up-store.ts';

/** Further than this the server counts no more. */
const mostCounted = 1_000;

/** Jobs whose time went by and that are not finished: one line, and the jobs themselves a tap away. */
export function Overdue({ ahead, timeZone }: { ahead: Ahead; timeZone: string }) {
  const cards = useStore($jobCards, { ssr: 'initial' });
  const jobs = ahead.overdue.flatMap((id) => cards[id] ?? []);
  const others = ahead.overdueCount - jobs.length;
  return (
    <details className="card stack-card overdue">
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
        <JobRow key={job.id} job={job} timeZone={timeZone} withDay />
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
