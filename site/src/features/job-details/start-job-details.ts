import { followJobs } from '#site/jobs/follow-jobs.ts';
import { $jobId, openJob } from './job-details-page-store.ts';
import { showLoadFailure } from './load-failure.ts';

/** Asks for the job of the address, and follows its changes. */
export function startJobDetails(): void {
  openJob(location.pathname);
  showLoadFailure($jobId.get() ?? '');
  followJobs();
}
