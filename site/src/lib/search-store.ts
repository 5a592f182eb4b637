import { atom, type ReadableAtom } from 'nanostores';
import { createSearchTimer, type SearchTimer } from './search.ts';

/** A search with `$isPending`: true from the keystroke that starts it until its result is there. */
export type Search = SearchTimer & Readonly<{ $isPending: ReadableAtom<boolean> }>;

/** `createSearchTimer` with a store that a page can draw. */
export function createSearch(onSearch: (text: string) => Promise<unknown> | undefined): Search {
  const $isPending = atom(false);
  return { $isPending, ...createSearchTimer(onSearch, (isPending) => $isPending.set(isPending)) };
}
