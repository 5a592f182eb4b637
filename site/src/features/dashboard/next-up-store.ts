import type { JobStatus } from '#core/job/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { storeCards } from '#site/jobs/job-cards-store.ts';
import { aheadPath } from '#site/jobs/schedule-store.ts';
import { type Queries, type Query, query, type Read } from '#site/lib/http/query.ts';

/** How many jobs the dashboard shows; the schedule has the rest. */
export const mostNext = 4;

/** The ids of what is next, earliest first, and of what its time went by without, how many of those there are in all. */
export type Ahead = Readonly<{
  next: readonly string[];
  overdue: readonly string[];
  overdueCount: number;
}>;

/** Work that still has to be driven to: neither waiting for an answer nor done. */
const stillToDo: readonly JobStatus[] = ['To quote', 'In progress', 'Quoted'];

/** What is next on the schedule, and what would scroll out of sight there though it is not finished. */
export function createWorkAhead({ query }: Pick<Queries, 'query'>): Query<Ahead> {
  return query('job-ahead', (_, read) => load(read), { readsOffline: true });
}

export const workAhead = createWorkAhead({ query });

async function load(read: Read): Promise<Ahead> {
  const now = new Date().toISOString();
  const { jobs, overdue: before } = await read(aheadPath);
  const next = jobs.filter((job) => isNext(job, now)).slice(0, mostNext);
  // The server's are of the days before; what today has gone by without is among its jobs.
  const earlier = jobs.filter(
    ({ status, scheduledAt }) => stillToDo.includes(status) && isPast(scheduledAt, now),
  );
  const overdue = [...before.jobs, ...earlier];
  storeCards([...next, ...overdue]);
  return {
    next: next.map(({ id }) => id),
    overdue: overdue.map(({ id }) => id),
    overdueCount: before.count + earlier.length,
  };
}

function isNext({ status, scheduledAt }: JobCardView, now: string): boolean {
  return stillToDo.includes(status) && scheduledAt !== null && !isPast(scheduledAt, now);
}

function isPast(scheduledAt: string | null, now: string): boolean {
  return scheduledAt !== null && Date.parse(scheduledAt) < Date.parse(now);
}
