import type { JobView } from '#core/job/view.ts';
import { ApiError } from '#site/lib/api.ts';
import { type Query, query } from '#site/lib/query.ts';
import { keepCards } from './job-cards-store.ts';
import { fetchJob } from './jobs-api.ts';

/** A job in full; null where there is none that this business may see. */
export function jobDetails(id: string): Query<JobView | null> {
  return query(`job:${id}`, async (signal) => {
    try {
      const job = await fetchJob(id, signal);
      keepCards([job]);
      return job;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  });
}
