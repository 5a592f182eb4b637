import { map } from 'nanostores';
import type { JobCardView, JobView } from '#core/job/view.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { type Queries, type Query, query, type Read, refreshQueries } from '#site/lib/http/query.ts';
import { isNumber, isRecord } from '#site/lib/shape.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { fetchJob, fetchJobCounts, type ShownCounts } from './jobs-api.ts';

/** Every job this page has met, by id. Lists hold ids, so that an answer shows wherever the job is on screen. */
const cards = map<Record<string, JobCardView>>({});
export const $jobCards = cards;

/** Stores the newest of each job: a list that the read model answered late never undoes an accept. */
export function storeCards(jobs: readonly JobCardView[]): void {
  const known = cards.get();
  const newer = jobs.filter((job) => job.revision >= (known[job.id]?.revision ?? -1));
  cards.set({ ...known, ...Object.fromEntries(newer.map((job) => [job.id, job])) });
}

type CountsDeps = Readonly<{
  fetchJobCounts: typeof fetchJobCounts;
  query: Queries['query'];
  toast: Pick<typeof toast, 'error' | 'dismiss'>;
}>;

/** The four counts of the tiles and chips, and that at Jobs. Stored in the tab, so that the next page starts from them. */
export function createJobCounts(deps: CountsDeps) {
  const jobCounts: Query<ShownCounts> = deps.query('job-counts', (_, read) => deps.fetchJobCounts(read), {
    storeInTab: isRecord<ShownCounts>({
      ...{ today: isNumber, new: isNumber, inProgress: isNumber, all: isNumber, waiting: isNumber },
    }),
    readsOffline: true,
  });

  /** Loads the counts from now on; a failure is a toast with its message until they load. The last known counts stay. */
  function followJobCounts(): () => void {
    return jobCounts.$state.listen(({ status, fetchStatus, error }) => {
      if (status === 'error' && fetchStatus === 'idle' && error)
        deps.toast.error(error.message, { id: 'job-counts' });
      if (status === 'success') deps.toast.dismiss('job-counts');
    });
  }

  return { jobCounts, followJobCounts };
}

export const { jobCounts, followJobCounts } = createJobCounts({ fetchJobCounts, query, toast });

/** The key of the query that answers what happened to a job. */
export function historyKey(jobId: string): string {
  return `job-history:${jobId}`;
}

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
