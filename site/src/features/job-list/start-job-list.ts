import { followJobs } from '#site/jobs/follow-jobs.ts';
import { openJobListPage } from '#site/jobs/list/job-list-page-store.ts';
import { viewOf } from '#site/jobs/view-path.ts';

// Runs before the island is hydrated, so that its data is already on the way.
openJobListPage(viewOf(location.pathname), new URLSearchParams(location.search));
followJobs();

// After a reload the entry of the dashboard before this one counts as the same document: it needs its own page.
const { pathname } = location;
addEventListener('popstate', () => {
  if (location.pathname !== pathname) location.reload();
});
