import { listViews } from '#core/job/lists.ts';
import { followJobs } from '#site/jobs/follow-jobs.ts';
import { $question, openJobListPage } from '#site/jobs/list/job-list-page-store.ts';
import { jobList, openWithPages } from '#site/jobs/list/job-list-store.ts';
import { followPlace, restorePlace, returnedPlace } from '#site/jobs/list/list-place.ts';
import { viewOf } from '#site/jobs/view-path.ts';

const { pathname } = location;
const view = viewOf(pathname);

// Days have a scroller of their own, which opens at today.
const place = view === 'today' ? null : returnedPlace();
if (place) openWithPages(place.pages);

// Runs before the island is hydrated, so that its data is already on the way.
openJobListPage(view, new URLSearchParams(location.search));
followJobs();

if (place) restorePlace(place);
followPlace(() => listViews[view].label, loadedPages);

function loadedPages(): number {
  const question = $question.get();
  return (question && jobList(question).$state.get().data?.pages) ?? 1;
}

// After a reload the entry of the dashboard before this one counts as the same document: it needs its own page.
addEventListener('popstate', () => {
  if (location.pathname !== pathname) location.reload();
});
