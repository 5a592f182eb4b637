import { atom, type ReadableAtom } from 'nanostores';
import type { Region } from '#core/values/region.ts';
import { createSearch } from '#site/lib/search.ts';
import { type FoundBusiness, searchBusinesses } from './businesses-api.ts';

/** What a search came to; null while there is nothing to show. */
export type Businesses = Readonly<{ found: readonly FoundBusiness[]; hasFailed: boolean }> | null;

export type BusinessSearch = Readonly<{
  $businesses: ReadableAtom<Businesses>;
  $isPending: ReadableAtom<boolean>;
  /** Takes the field's text after a keystroke. */
  type(text: string): void;
}>;

/** How long an answer is waited for, in milliseconds. */
const timeout = 8_000;

/** The register's businesses for one field, by the rules of every search: 3 characters, 500 ms, the newest wins. */
export function createBusinessSearch(region: () => Region): BusinessSearch {
  const $businesses = atom<Businesses>(null);
  let running = new AbortController();

  const search = createSearch(async (text) => {
    const mine = restart();
    if (text === '') return;
    const late = setTimeout(() => mine.abort(new Error('late')), timeout);
    try {
      const found = await searchBusinesses(text, region(), mine.signal);
      if (running === mine) $businesses.set({ found, hasFailed: false });
    } catch {
      if (running === mine) $businesses.set({ found: [], hasFailed: true });
    } finally {
      clearTimeout(late);
    }
  });

  /** An answer to what is no longer in the field is worth nothing. */
  function restart(): AbortController {
    running.abort();
    running = new AbortController();
    return running;
  }

  return {
    $businesses,
    $isPending: search.$isPending,
    type(text) {
      restart();
      $businesses.set(null);
      search.type(text);
    },
  };
}
