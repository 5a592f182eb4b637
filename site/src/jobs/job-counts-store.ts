import type { JobCounts } from '#core/job/statuses.ts';
import { type Query, query } from '#site/lib/http/query.ts';
import { isNumber, isRecord } from '#site/lib/shape.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { fetchJobCounts } from './jobs-api.ts';

/** The four counts of the tiles and chips. Stored in the tab, so that the next page starts from them. */
export const jobCounts: Query<JobCounts> = query('job-counts', (_, read) => fetchJobCounts(read), {
  storeInTab: isRecord<JobCounts>({ today: isNumber, new: isNumber, inProgress: isNumber, all: isNumber }),
  readsOffline: true,
});

/** Loads the counts from now on; a failure is a toast with its message until they load. The last known counts stay. */
export function followJobCounts(): () => void {
  return jobCounts.$state.listen(({ status, fetchStatus, error }) => {
    if (status === 'error' && fetchStatus === 'idle' && error)
      toast.error(error.message, { id: 'job-counts' });
    if (status === 'success') toast.dismiss('job-counts');
  });
}
