import type { JobCounts } from '#core/job/statuses.ts';
import { type Queries, type Query, query } from '#site/lib/http/query.ts';
import { isNumber, isRecord } from '#site/lib/shape.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { fetchJobCounts } from './jobs-api.ts';

type CountsDeps = Readonly<{
  fetchJobCounts: typeof fetchJobCounts;
  query: Queries['query'];
  toast: Pick<typeof toast, 'error' | 'dismiss'>;
}>;

/** The four counts of the tiles and chips. Stored in the tab, so that the next page starts from them. */
export function createJobCounts(deps: CountsDeps) {
  const jobCounts: Query<JobCounts> = deps.query('job-counts', (_, read) => deps.fetchJobCounts(read), {
    storeInTab: isRecord<JobCounts>({ today: isNumber, new: isNumber, inProgress: isNumber, all: isNumber }),
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
