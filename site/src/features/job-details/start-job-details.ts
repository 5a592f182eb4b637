import { followJobs } from '#site/jobs/follow-jobs.ts';
import { $jobId, openJob } from './job-details-page-store.ts';
import { showLoadFailure } from './load-failure.ts';

openJob(location.pathname);
showLoadFailure($jobId.get() ?? '');
followJobs();
