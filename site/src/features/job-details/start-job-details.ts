import { followJobs } from '#site/features/jobs/follow-jobs.ts';
import { $jobId, openJob } from './job-details-page-store.ts';
import { tellLoadFailure } from './load-failure.ts';

openJob(location.pathname);
tellLoadFailure($jobId.get() ?? '');
followJobs();
