import type { JobCounts, JobSort } from '#core/job/list-views.ts';
import type { WorkingStatus } from '#core/job/statuses.ts';
import type { JobCardView, JobView } from '#core/job/view.ts';
import { request } from '#site/lib/api.ts';

/** Jobs per page of a list (spec.md §9). */
export const pageSize = 75;

export type Answer = 'accept' | 'reject';
export type JobsQuery = Readonly<{
  filter: string;
  sort: JobSort;
  dir: 'asc' | 'desc';
  search: string;
  page: number;
}>;

export async function fetchJobCounts(signal: AbortSignal): Promise<JobCounts> {
  const { count } = await request<{ count: JobCounts }>('GET', '/jobs/count', { signal });
  return count;
}

/** One page of jobs; fewer than `pageSize` of them means that it is the last. */
export async function fetchJobs(query: JobsQuery, signal: AbortSignal): Promise<JobCardView[]> {
  const { filter, sort, dir, search, page } = query;
  const parameters = new URLSearchParams({ page: String(page), limit: String(pageSize), sort, dir });
  if (filter) parameters.set('filter', filter);
  if (search) parameters.set('search', search);
  const { jobs } = await request<{ jobs: JobCardView[] }>('GET', `/jobs?${parameters}`, { signal });
  return jobs;
}

export async function fetchJob(id: string, signal: AbortSignal): Promise<JobView> {
  const { job } = await request<{ job: JobView }>('GET', pathOf(id), { signal });
  return job;
}

/** Accepts or rejects; the job comes back as it is now, with the contact if it may be seen. */
export async function answerJob(id: string, answer: Answer): Promise<JobView> {
  const { job } = await request<{ job: JobView }>('PUT', `${pathOf(id)}/${answer}`);
  return job;
}

/** What a tradie changes of a job. With the `revision` they looked at, what changed since is refused by a 409 `{ job }`. */
export type JobChanges = Readonly<{
  notes?: string;
  scheduledAt?: string | null;
  status?: WorkingStatus;
  revision?: number;
}>;

/** Changes the job; it comes back as it is now. Sent even while the page is being left. */
export async function changeJob(id: string, changes: JobChanges): Promise<JobView> {
  const { job } = await request<{ job: JobView }>('PUT', pathOf(id), { body: changes, keepalive: true });
  return job;
}

/** Takes back the change that was answered with this revision; it comes back as it was. */
export async function undoChange(id: string, revision: number): Promise<JobView> {
  const { job } = await request<{ job: JobView }>('POST', `${pathOf(id)}/undo`, { body: { revision } });
  return job;
}

export function pathOf(id: string): string {
  return `/jobs/${encodeURIComponent(id)}`;
}
