import { followJobs } from './follow-jobs.ts';
import { openJob } from './job-details-page-store.ts';

openJob(location.pathname);
followJobs();
