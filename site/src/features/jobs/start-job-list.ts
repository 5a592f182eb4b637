import { followJobs } from './follow-jobs.ts';
import { openJobListPage } from './job-list-page-store.ts';
import { viewOf } from './view-path.ts';

// Runs before the island wakes, so that its data is already on the way.
openJobListPage(viewOf(location.pathname), new URLSearchParams(location.search));
followJobs();
