import { atom, type ReadableAtom } from 'nanostores';
import { searchLength, singleLine } from '#core/values/text.ts';

const text = atom('');
const searched = atom('');

/** What the search field holds. */
export const $searchText: ReadableAtom<string> = text;
/** What the list shows; the address carries it. */
export const $searched: ReadableAtom<string> = searched;

export function typeSearch(value: string): void {
  text.set(value);
}

export function showSearched(wanted: string): void {
  searched.set(wanted);
}

/** The search that an address asks for, as the field would hold it: no longer than a search may be. */
export function searchIn(parameters: URLSearchParams): string {
  const asked = [...singleLine(parameters.get('search') ?? '')];
  return asked.slice(0, searchLength.max).join('').trim();
}
