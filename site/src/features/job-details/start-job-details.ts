import { followJobs } from '#site/features/jobs/follow-jobs.ts';
import { openJob } from './job-details-page-store.ts';

openJob(location.pathname);
followJobs();
