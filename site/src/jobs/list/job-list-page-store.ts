import { atom, computed } from 'nanostores';
import type { ListView } from '#core/job/status/statuses.ts';
import { countCharacters, searchLength } from '#core/values/text.ts';
import type { Query } from '#site/lib/http/query.ts';
import { $session } from '#site/lib/session/session-store.ts';
import { createSearch } from '#site/ui/form/search.ts';
import { type JobListQuestion, jobList } from './job-list-store.ts';
import { $searched, searchIn, showSearched, typeSearch } from './searched.ts';

const view = atom<ListView | null>(null);

/** What this page's list answers; null until the view and the business's zone are known. */
export const $question = computed(
  [view, $searched, $session],
  (listView, search, session): JobListQuestion | null => {
    const timeZone = session?.user?.timeZone;
    return listView && timeZone ? { view: listView, search, timeZone } : null;
  },
);

/** Takes the view and a search over from the address. */
export function openJobListPage(listView: ListView, parameters: URLSearchParams): void {
  const wanted = searchIn(parameters);
  typeSearch(wanted);
  showSearched(countCharacters(wanted) >= searchLength.min ? wanted : '');
  view.set(listView);
}

/** Shows what a search finds in a view, on a page that has another address still. The text of its field stays. */
export function showFound(listView: ListView, wanted: string): Promise<void> {
  view.set(listView);
  return searchList(wanted);
}

/** Shows no list any more. */
export function closeList(): void {
  view.set(null);
  showSearched('');
}

/** The search of the list on screen. */
export const listSearch = createSearch(searchList);

/** Narrows the list on screen; done when its result is there. The address follows. */
function searchList(wanted: string): Promise<void> {
  const url = new URL(location.href);
  if (wanted) url.searchParams.set('search', wanted);
  else url.searchParams.delete('search');
  if (url.href !== location.href) history.replaceState(history.state, '', url);
  showSearched(wanted);
  const question = $question.get();
  return question ? settled(jobList(question)) : Promise.resolve();
}

/** Empties the field and shows every job again. */
export function clearSearch(): void {
  typeSearch('');
  listSearch.submit('');
}

function settled(list: Query<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stop = list.$state.subscribe(({ status, fetchStatus }) => {
      if (status === 'pending' || fetchStatus === 'fetching') return;
      queueMicrotask(() => stop());
      resolve();
    });
  });
}
