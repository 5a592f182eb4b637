import { isAhead, isLate, type JobCounts } from '#core/job/status/statuses.ts';
import { $answering } from '#site/jobs/changes/change-job.ts';
import { $waiting } from '#site/jobs/changes/changes-store.ts';
import { $jobCards, storeCards } from '#site/jobs/job-stores.ts';
import { isSetAside } from '#site/jobs/job-words.ts';
import { fetchJobs } from '#site/jobs/jobs-api.ts';
import { urgentFirst } from '#site/jobs/leads/lead-order.ts';
import type { Arrivals } from '#site/jobs/list/use-arrivals.ts';
import { aheadPath } from '#site/jobs/schedule-store.ts';
import { type Queries, type Query, query, type Read } from '#site/lib/http/query.ts';
import { $isWide } from '#site/ui/screen-store.ts';

/** How many unanswered jobs the dashboard opens with; the New list has the rest. */
export const mostWaiting = 10;

/** `ids` are on the page, in order, those that are held back among them; `known` are all that wait. */
export type Waiting = Arrivals & Readonly<{ ids: readonly string[]; known: readonly string[] }>;

type WaitingDeps = Readonly<{
  fetchJobs: typeof fetchJobs;
  query: Queries['query'];
  /** Whether an answer to a job is on its way. */
  isAnswering(id: string): boolean;
}>;

/**
 * The jobs that wait for the tradie's answer, urgent first, then oldest. Nothing moves under a thumb: what arrives is added at the
 * end, or first where it is urgent (`Steady` holds the rest in place), and what was answered here stays in its place until the page is left, with its phone and email in sight.
 */
export function createWaiting({ fetchJobs: fetch, query: make, isAnswering }: WaitingDeps): Query<Waiting> {
  const waiting: Query<Waiting> = make('job-waiting', (_, read) => load(read), { readsOffline: true });

  async function load(read: Read): Promise<Waiting> {
    const newestFirst = { filter: 'Pending', sort: 'createdAt', dir: 'desc', search: '', page: 1 } as const;
    const jobs = urgentFirst((await fetch(newestFirst, read)).jobs.toReversed());
    storeCards(jobs);
    const known = jobs.map((job) => job.id);
    const before = waiting.$state.get().data;
    if (!before) return { ids: known.slice(0, mostWaiting), known };
    const ids = inPlace(before, known);
    return { ids, known, held: heldBack(before, ids) };
  }

  function inPlace(before: Waiting, known: readonly string[]): string[] {
    const staying = before.ids.filter((id) => isAnswered(id) || known.includes(id));
    const arrived = known.filter((id) => !before.known.includes(id));
    const ids = [...new Set([...arrived.filter(isPressing), ...staying, ...arrived])];
    const others = known.filter((id) => !ids.includes(id));
    const free = mostWaiting - ids.filter((id) => known.includes(id)).length;
    return [...ids, ...others.slice(0, Math.max(0, free))];
  }

  /** What would move the column beside this one. */
  function heldBack({ ids, known, held = [] }: Waiting, now: readonly string[]): string[] {
    if (!$isWide.get() || ids.length === held.length) return [];
    return now.filter((id) => held.includes(id) || (!known.includes(id) && isPressing(id)));
  }

  function isPressing(id: string): boolean {
    const job = $jobCards.get()[id];
    return Boolean(job?.isUrgent && !isSetAside(job));
  }

  /** The list can have an answer before the answer itself is back. */
  function isAnswered(id: string): boolean {
    return isAnswering(id) || $jobCards.get()[id]?.status !== 'Pending';
  }

  return waiting;
}

export const waitingJobs = createWaiting({
  ...{ fetchJobs, query },
  isAnswering: (id) => Boolean($answering.get()[id] || $waiting.get()[id]),
});

/**
 * Whether the business has a job: none, one at least, or null while that is not known. Requests that are held for review
 * are not counted, but they wait.
 */
export function hasJobs(counts: JobCounts | undefined, waiting: Waiting | undefined): boolean | null {
  if ((counts?.all ?? 0) > 0 || (waiting?.known.length ?? 0) > 0) return true;
  return counts && waiting ? false : null;
}

/** How many jobs the dashboard shows; the schedule has the rest. */
const mostNext = 4;

/** The ids of what is next, earliest first, and of what its time went by without, how many of those there are in all. */
export type Ahead = Readonly<{
  next: readonly string[];
  overdue: readonly string[];
  overdueCount: number;
}>;

/** What is next on the schedule, and what would scroll out of sight there though it is not finished. */
export function createWorkAhead({ query }: Pick<Queries, 'query'>): Query<Ahead> {
  return query('job-ahead', (_, read) => load(read), { readsOffline: true });
}

export const workAhead = createWorkAhead({ query });

async function load(read: Read): Promise<Ahead> {
  const { jobs, overdue: before } = await read(aheadPath);
  const now = new Date();
  const next = jobs.filter((job) => isAhead(job, now)).slice(0, mostNext);
  // The server's are of the days before; what today has gone by without is among its jobs.
  const earlier = jobs.filter((job) => isLate(job, now));
  const overdue = [...before.jobs, ...earlier];
  storeCards([...next, ...overdue]);
  return {
    next: next.map(({ id }) => id),
    overdue: overdue.map(({ id }) => id),
    overdueCount: before.count + earlier.length,
  };
}
