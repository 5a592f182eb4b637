import type { JobStatus } from '#core/job/statuses.ts';
import { keepCards } from '#site/features/jobs/job-cards-store.ts';
import { fetchScheduledFrom } from '#site/features/jobs/scheduled-jobs.ts';
import { type Query, query } from '#site/lib/query.ts';

/** How many jobs the dashboard shows; the schedule has the rest. */
export const mostNext = 4;

/** Work that still has to be driven to: neither waiting for an answer nor done. */
const stillToDo: readonly JobStatus[] = ['To quote', 'In progress', 'Quoted'];

/** The next scheduled jobs from now on, earliest first. */
export const nextJobs: Query<readonly string[]> = query('job-next', async (signal) => {
  const now = new Date().toISOString();
  const jobs = await fetchScheduledFrom((instant) => instant >= now, '', signal);
  const next = jobs.filter((job) => stillToDo.includes(job.status)).slice(0, mostNext);
  keepCards(next);
  return next.map((job) => job.id);
});
