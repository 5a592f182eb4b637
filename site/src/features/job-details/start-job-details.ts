import { atom } from 'nanostores';
import { followJobs } from '#site/jobs/follow-jobs.ts';
import { jobDetails } from '#site/jobs/job-stores.ts';
import type { Query } from '#site/lib/http/query.ts';
import { toast } from '#site/ui/toast/toast.ts';

/** Asks for the job of the address, and follows its changes. */
export function startJobDetails(): void {
  openJob(location.pathname);
  showLoadFailure(jobDetails($jobId.get() ?? ''), toast);
  followJobs();
}

/** Loads the job from now on; a failure is a toast with its message until it loads. The last known job stays. */
export function showLoadFailure(
  { $state }: Query<unknown>,
  shown: Pick<typeof toast, 'error' | 'dismiss'>,
): () => void {
  return $state.listen(({ status, fetchStatus, error }) => {
    if (status === 'error' && fetchStatus === 'idle' && error) shown.error(error.message, { id: 'job-load' });
    if (status === 'success') shown.dismiss('job-load');
  });
}

/** The job that the address names; null until the page has read it. */
const jobId = atom<string | null>(null);
export const $jobId = jobId;

/** Takes the id over from a path such as `/jobs/details/{id}`. */
export function openJob(pathname: string): void {
  jobId.set(decodeURIComponent(pathname.split('/')[3] ?? ''));
}
