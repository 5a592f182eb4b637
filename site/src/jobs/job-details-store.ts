import type { JobView } from '#core/job/view.ts';
import { historyKey } from '#site/jobs/history/history-store.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { type Queries, type Query, query, type Read, refreshQueries } from '#site/lib/http/query.ts';
import { storeCards } from './job-cards-store.ts';
import { fetchJob } from './jobs-api.ts';

/** Jobs in full, as the API gives them. */
export function createJobDetails(fetch: typeof fetchJob, queries: Queries) {
  /** A job in full; null where there is none that this business may see. */
  function jobDetails(id: string): Query<JobView | null> {
    const load = async (read: Read) => {
      try {
        const job = await fetch(id, read);
        storeCards([job]);
        return newest(details.$state.get().data, job);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    };
    const details: Query<JobView | null> = queries.query(`job:${id}`, (_, read) => load(read), {
      readsOffline: true,
    });
    return details;
  }

  /** Shows a job as a change of it was answered, wherever it is on the page. */
  function storeJob(job: JobView): void {
    storeCards([job]);
    jobDetails(job.id).update((known) => newest(known, job));
    queries.refreshQueries((key) => key === historyKey(job.id));
  }

  return { jobDetails, storeJob };
}

export const { jobDetails, storeJob } = createJobDetails(fetchJob, { query, refreshQueries });

/** A read model that is behind never undoes what a change was answered with. */
function newest(known: JobView | null | undefined, job: JobView): JobView {
  return known && known.revision > job.revision ? known : job;
}
