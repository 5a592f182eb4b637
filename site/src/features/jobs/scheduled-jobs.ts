import type { JobCardView } from '#core/job/view.ts';
import { fetchJobs, pageSize } from './jobs-api.ts';

/**
 * Scheduled jobs from a point in time on, earliest first. The API's window also reaches 90 days back, so it is read
 * from its far end until a job fails `isWanted`: what lies ahead is rarely more than one page.
 */
export async function fetchScheduledFrom(
  isWanted: (scheduledAt: string) => boolean,
  search: string,
  signal: AbortSignal,
): Promise<JobCardView[]> {
  const found: JobCardView[] = [];
  for (let page = 1; ; page += 1) {
    const jobs = await fetchJobs({ filter: 'today', sort: 's.date', dir: 'desc', search, page }, signal);
    const wanted = jobs.filter((job) => job.scheduledAt !== null && isWanted(job.scheduledAt));
    found.push(...wanted);
    if (wanted.length < jobs.length || jobs.length < pageSize) return found.reverse();
  }
}
