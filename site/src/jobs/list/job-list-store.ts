import { atom } from 'nanostores';
import { type ListView, listViews } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { $jobCards, storeCards } from '#site/jobs/job-stores.ts';
import { fetchJobs, type JobPage } from '#site/jobs/jobs-api.ts';
import { urgentFirst } from '#site/jobs/leads/lead-order.ts';
import { type Query, query, type Read, readServer } from '#site/lib/http/query.ts';
import { $isPhone } from '#site/ui/screen-store.ts';
import { $listAppearances, appearanceOf } from './list-appearance-store.ts';
import type { Arrivals } from './use-arrivals.ts';

/** Which jobs: a view, narrowed by a search of three or more characters, with the zone that today is counted in. */
export type JobListQuestion = Readonly<{ view: ListView; search: string; timeZone: string }>;
/** The jobs in the list's order, by id, and how many pages of them are here. */
export type JobList = Arrivals & Readonly<{ ids: readonly string[]; pages: number; hasMore: boolean }>;

let pagesAtFirst = 1;

/** Lists begin with as many pages of jobs from now on: those that were there when the list was left. */
export function openWithPages(pages: number): void {
  pagesAtFirst = pages;
}

/** The list that answers a question; as many pages of it as were asked for stay fresh. */
export function jobList(question: JobListQuestion): Query<JobList> {
  const load = async (read: Read): Promise<JobList> => {
    const before = list.$state.get().data;
    const wanted = before?.pages ?? pagesAtFirst;
    const ids: string[] = [];
    let hasMore = true;
    for (let page = 1; hasMore && page <= wanted; page += 1) {
      const found = await fetchPage(question, page, read);
      storeCards(found.jobs);
      ids.push(...found.jobs.map((job) => job.id));
      hasMore = found.more;
    }
    // The pages are oldest first, and what waits for an answer is shown before all else: however late it came.
    if (question.view === 'new' && hasMore) ids.push(...(await fetchWaiting(question.search, read)));
    const now = [...new Set(ids)];
    return { ids: now, pages: wanted, hasMore, held: before ? heldBack(before, now, question.view) : [] };
  };
  // What was searched for is often a customer's name: it is not stored.
  const readsOffline = question.search === '';
  const list: Query<JobList> = query(keyOf(question), (_, read) => load(read), { readsOffline });
  return list;
}

/** The requests that came since, where cards stand side by side: each would move all that follow it. */
function heldBack({ ids, held = [] }: JobList, now: readonly string[], view: ListView): string[] {
  const isSideBySide = !$isPhone.get() && appearanceOf(view, $listAppearances.get()) === 'cards';
  if (!isSideBySide || ids.length === held.length) return [];
  const cards = $jobCards.get();
  return now.filter((id) => held.includes(id) || (!ids.includes(id) && cards[id]?.status === 'Pending'));
}

/** The key of every job list begins with this. */
const jobListKey = 'job-list:';

function keyOf({ view, search, timeZone }: JobListQuestion): string {
  return `${jobListKey}${view}:${timeZone}:${search}`;
}

/** Whether the next page is on its way, or could not be fetched. */
const more = atom<'idle' | 'loading' | 'failed'>('idle');
export const $moreJobs = more;

/** Adds the next page of 75. */
export async function loadMoreJobs(question: JobListQuestion): Promise<void> {
  const list = jobList(question);
  const { data } = list.$state.get();
  if (!data?.hasMore || more.get() === 'loading') return;
  more.set('loading');
  try {
    const pages = data.pages + 1;
    const { jobs, more: hasMore } = await fetchPage(question, pages, readServer(AbortSignal.timeout(15_000)));
    storeCards(jobs);
    const ids = jobs.map((job) => job.id);
    list.update((now) => now && { ...now, ids: [...new Set([...now.ids, ...ids])], pages, hasMore });
    more.set('idle');
  } catch {
    more.set('failed');
  }
}

/** The ids of the newest jobs that wait for an answer. */
async function fetchWaiting(search: string, read: Read): Promise<string[]> {
  const newestFirst = { filter: 'Pending', sort: 'createdAt', dir: 'desc', page: 1 } as const;
  const { jobs } = await fetchJobs({ ...newestFirst, search }, read);
  storeCards(jobs);
  return jobs.map((job) => job.id);
}

function fetchPage(question: JobListQuestion, page: number, read: Read): Promise<JobPage> {
  const { view, search } = question;
  const { filter, sort, dir } = listViews[view];
  return fetchJobs({ filter, sort, dir, search, page }, read);
}

/** The New list by what there is to do with a job; each group is in the order of the list where nothing else is said. */
export type NewJobs = Readonly<Record<'waiting' | 'toQuote' | 'rejected', readonly JobCardView[]>>;

/** The jobs of the New list in its three groups: those that wait are the urgent first, then the oldest. */
export function groupNewJobs(jobs: readonly JobCardView[]): NewJobs {
  const of = (status: JobCardView['status']) => jobs.filter((job) => job.status === status);
  return {
    waiting: urgentFirst(of('Pending')),
    toQuote: of('To quote'),
    rejected: of('Rejected'),
  };
}

/** The job that was added on this page or right before it; null where there is none. */
const justAdded = atom<string | null>(null);
export const $justAdded = justAdded;

/** Puts a job that was just added at the head of the New list, wherever its place in it is. */
export function showJustAdded(jobId: string): void {
  justAdded.set(jobId);
}
