import { followJobs } from '#site/jobs/follow-jobs.ts';
import { followFound } from './dashboard-search.ts';
import { workAhead } from './next-up-store.ts';
import { waitingJobs } from './waiting-store.ts';

// Runs before the island is hydrated, so that its data is already on the way.
followJobs();
followFound();
waitingJobs.$state.listen(() => undefined);
workAhead.$state.listen(() => undefined);
