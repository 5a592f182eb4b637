import { isRecord, isText, readShaped } from '#site/lib/shape.ts';

const key = 'ute.search-typed';

const isCarried = isRecord<{ text: string; to: string }>({ text: isText, to: isText });

/** Leaves what a search field holds for the page at an address, if that opens next in this tab. */
export function carrySearch(text: string, to: string): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ text, to: new URL(to, location.href).href }));
  } catch {
    // Private browsing may refuse; the list then has the text of its address.
  }
}

/** What was typed on the page before while this one was on its way, once; null where nothing was, or for another page. */
export function takeCarriedSearch(): string | null {
  try {
    const carried = readShaped(sessionStorage.getItem(key), isCarried);
    sessionStorage.removeItem(key);
    return carried?.to === location.href ? carried.text : null;
  } catch {
    return null;
  }
}
