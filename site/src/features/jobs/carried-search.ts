import { isText, readShaped } from '#site/lib/shape.ts';

const key = 'ute.search-typed';

/** Leaves what a search field holds for the list that opens next in this tab. */
export function carrySearch(text: string): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(text));
  } catch {
    // Private browsing may refuse; the list then has the text of its address.
  }
}

/** What was typed on the page before while this one was on its way, once; null where nothing was. */
export function takeCarriedSearch(): string | null {
  try {
    const text = readShaped(sessionStorage.getItem(key), isText);
    sessionStorage.removeItem(key);
    return text;
  } catch {
    return null;
  }
}
