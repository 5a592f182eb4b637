import { listViews } from '#core/job/status/statuses.ts';
import { followJobs } from '#site/jobs/follow-jobs.ts';
import { $question, openJobListPage } from '#site/jobs/list/job-list-page-store.ts';
import { jobList, openWithPages } from '#site/jobs/list/job-list-store.ts';
import { followPlace, restorePlace, returnedPlace, viewOf } from '#site/jobs/list/list-place.ts';

/** Asks for the list of the address without waiting for its island, and follows its changes and the way back to it. */
export function startJobList(): void {
  const { pathname } = location;
  const view = viewOf(pathname);

  // Days have a scroller of their own, which opens at today.
  const place = view === 'today' ? null : returnedPlace();
  if (place) openWithPages(place.pages);

  openJobListPage(view, new URLSearchParams(location.search));
  followJobs();

  if (place) restorePlace(place);
  followPlace(() => listViews[view].label, loadedPages);

  // After a reload the entry of the dashboard before this one counts as the same document: it needs its own page.
  addEventListener('popstate', () => {
    if (location.pathname !== pathname) location.reload();
  });
}

function loadedPages(): number {
  const question = $question.get();
  return (question && jobList(question).$state.get().data?.pages) ?? 1;
}
