import { listViews } from '#core/job/statuses.ts';
import { followJobs } from '#site/jobs/follow-jobs.ts';
import { followPlace, restorePlace, returnedPlace } from '#site/jobs/list/list-place.ts';
import { $isFound, followFound } from './dashboard-search.ts';
import { workAhead } from './next-up-store.ts';
import { waitingJobs } from './waiting-store.ts';

/** Asks for the dashboard's data without waiting for its island, and follows its changes. */
export function startDashboard(): void {
  followJobs();
  followFound();
  waitingJobs.$state.listen(() => undefined);
  workAhead.$state.listen(() => undefined);

  const place = returnedPlace();
  if (place) restorePlace(place);
  followPlace(
    () => ($isFound.get() ? listViews.all.label : 'Your jobs'),
    () => 1,
  );
}
