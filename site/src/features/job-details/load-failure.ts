import { jobDetails } from '#site/jobs/job-details-store.ts';
import { toast } from '#site/ui/toast/toast.ts';

/** Loads the job from now on; a failure is a toast with its message until it loads. The last known job stays. */
export function showLoadFailure(jobId: string): () => void {
  return jobDetails(jobId).$state.listen(({ status, fetchStatus, error }) => {
    if (status === 'error' && fetchStatus === 'idle' && error) toast.error(error.message, { id: 'job-load' });
    if (status === 'success') toast.dismiss('job-load');
  });
}
