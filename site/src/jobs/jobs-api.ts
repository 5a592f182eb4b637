import type { JobCounts, JobSort } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { type AnswerOf, type BodyOf, type QueryOf, request } from '#site/lib/http/api.ts';
import type { Read } from '#site/lib/http/query.ts';

/** Jobs per page of a list. */
const pageSize = 75;

export type Answer = 'accept' | 'reject';
export type JobsQuery = Readonly<{
  filter: string;
  sort: JobSort;
  dir: 'asc' | 'desc';
  search: string;
  page: number;
}>;

type ListQuery = QueryOf<'GET', '/jobs'>;

export type JobPage = Pick<AnswerOf<'GET', '/jobs'>, 'jobs' | 'more'>;

/** The counts of the four lists, and how many jobs wait for an answer. */
export type ShownCounts = JobCounts & Readonly<{ waiting: number }>;

export async function fetchJobCounts(read: Read): Promise<ShownCounts> {
  const { count, waiting } = await read('/jobs/count');
  return { ...count, waiting };
}

/** One page of jobs, and whether there are more behind it. */
export async function fetchJobs(query: JobsQuery, read: Read): Promise<JobPage> {
  const { filter, sort, dir, search, page } = query;
  const parameters = new URLSearchParams({
    page: String(page),
    limit: String(pageSize),
    sort,
    dir,
  } satisfies ListQuery);
  if (filter) parameters.set('filter' satisfies keyof ListQuery, filter);
  if (search) parameters.set('search' satisfies keyof ListQuery, search);
  return read(`/jobs?${parameters}`);
}

export async function fetchJob(id: string, read: Read): Promise<JobView> {
  const { job } = await read(pathOf(id));
  return job;
}

/** How long a change waits for its answer, in milliseconds: a connection that says nothing is none. */
const timeout = 20_000;
/** Sent even while the page is being left. */
const change = () => ({ keepalive: true, signal: AbortSignal.timeout(timeout) });

/** Accepts or rejects; the job comes back as it is now, with the contact if it may be seen. With the `revision` as in `JobChanges`. */
export async function answerJob(
  id: string,
  answer: Answer,
  body?: Pick<JobChanges, 'revision'>,
): Promise<JobView> {
  const { job } = await request('PUT', `${pathOf(id)}/${answer}`, { ...change(), body });
  return job;
}

/** What a tradie changes of a job. With the `revision` they looked at, what changed since is refused by a 409 `{ job }`. */
export type JobChanges = BodyOf<'PUT', `/jobs/${string}`>;

/** Changes the job; it comes back as it is now. */
export async function changeJob(id: string, changes: JobChanges): Promise<JobView> {
  const { job } = await request('PUT', pathOf(id), { ...change(), body: changes });
  return job;
}

/** A change by the revision it was answered with; `since` by that of the first of several savings of the notes. */
export type Undo = BodyOf<'POST', `/jobs/${string}/undo`>;

/** Takes back a change; the job comes back as it was. */
export async function undoChange(id: string, undo: Undo): Promise<JobView> {
  const { job } = await request('POST', `${pathOf(id)}/undo`, { ...change(), body: undo });
  return job;
}

export function pathOf(id: string): `/jobs/${string}` {
  return `/jobs/${encodeURIComponent(id)}`;
}
