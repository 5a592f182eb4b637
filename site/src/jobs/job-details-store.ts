import type { JobView } from '#core/job/view.ts';
import { historyKey } from '#site/jobs/history/history-store.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { type Query, query, type Read, refreshQueries } from '#site/lib/http/query.ts';
import { storeCards } from './job-cards-store.ts';
import { fetchJob } from './jobs-api.ts';

/** A job in full; null where there is none that this business may see. */
export function jobDetails(id: string): Query<JobView | null> {
  const load = async (read: Read) => {
    try {
      const job = await fetchJob(id, read);
      storeCards([job]);
      return newest(details.$state.get().data, job);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  };
  const details: Query<JobView | null> = query(`job:${id}`, (_, read) => load(read), { readsOffline: true });
  return details;
}

/** Shows a job as a change of it was answered, wherever it is on the page. */
export function storeJob(job: JobView): void {
  storeCards([job]);
  jobDetails(job.id).update((known) => newest(known, job));
  refreshQueries((key) => key === historyKey(job.id));
}

/** A read model that is behind never undoes what a change was answered with. */
function newest(known: JobView | null | undefined, job: JobView): JobView {
  return known && known.revision > job.revision ? known : job;
}
