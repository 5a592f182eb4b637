import { followJobs } from '#site/jobs/follow-jobs.ts';
import { takeCarriedSearch } from '#site/jobs/list/carried-search.ts';
import { listSearch, openJobListPage, typeSearch } from '#site/jobs/list/job-list-page-store.ts';
import { viewOf } from '#site/jobs/view-path.ts';

// Before the list makes its own address of this one.
const carried = takeCarriedSearch();

// Runs before the island is hydrated, so that its data is already on the way.
openJobListPage(viewOf(location.pathname), new URLSearchParams(location.search));
followJobs();

const box = document.querySelector<HTMLInputElement>('input[name="search"]');
if (carried !== null && box) {
  const take = () => {
    typeSearch(box.value);
    listSearch.type(box.value);
  };
  box.value = carried;
  box.focus();
  // Until the island is hydrated its own handler misses what is typed.
  box.addEventListener('input', take);
  box.addEventListener('blur', () => box.removeEventListener('input', take), { once: true });
  take();
}
