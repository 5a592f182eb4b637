import { atom } from 'nanostores';
import { listViews } from '#core/job/status/statuses.ts';
import { product } from '#core/values/product.ts';
import { followJobs } from '#site/jobs/follow-jobs.ts';
import { followPlace, restorePlace, returnedPlace, viewPath, viewTitle } from '#site/jobs/list/list-place.ts';
import { $searched, searchIn, typeSearch } from '#site/jobs/list/searched.ts';
import { createSearch } from '#site/ui/form/search.ts';
import { waitingJobs, workAhead } from './dashboard-stores.ts';

const shown = atom(false);
/** Whether the list of all jobs, narrowed by a search, is shown in the dashboard's place. */
export const $isFound = shown;

/** Marks the entry of the history that a search of the dashboard made. */
const mark = 'dashboardSearch';
let ownTitle = '';

/**
 * A search from the dashboard is answered by the list of all jobs, at its address and without a page load: the field stays,
 * and with it the focus, the caret and every key that is pressed meanwhile.
 */
export const dashboardSearch = createSearch((wanted) => {
  if (!wanted) {
    leaveFound();
    return;
  }
  if (!shown.get()) {
    history.pushState({ [mark]: true }, '', `${viewPath('all')}&${new URLSearchParams({ search: wanted })}`);
    show();
  }
  return find(wanted);
});

/** The list's own store, which few visits need: loaded with the first search. */
let list: typeof import('#site/jobs/list/job-list-page-store.ts') | null = null;

/** Where the code cannot be loaded, what stands in the list's place says so. */
async function find(wanted: string): Promise<void> {
  list ??= await import('#site/jobs/list/job-list-page-store.ts').catch(() => null);
  if (shown.get()) await list?.showFound('all', wanted);
}

/** Back to the dashboard, also in the history. */
export function leaveFound(): void {
  if (shown.get()) history.back();
}

function show(): void {
  ownTitle = document.title;
  document.title = `${viewTitle('all')} · ${product.name}`;
  shown.set(true);
}

function hide(): void {
  document.title = ownTitle;
  shown.set(false);
  list?.closeList();
}

/** Follows Back and Forward, and a search that was cleared in the list itself. */
function followFound(): void {
  addEventListener('popstate', () => {
    const isMarked = Boolean(history.state?.[mark]);
    const wanted = searchIn(new URLSearchParams(location.search));
    typeSearch(wanted);
    if (shown.get() && !isMarked) hide();
    if (!shown.get() && isMarked) show();
    dashboardSearch.submit(shown.get() ? wanted : '');
  });
  $searched.listen((wanted) => {
    if (wanted === '') leaveFound();
  });
}

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
