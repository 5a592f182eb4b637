import { atom, type ReadableAtom } from 'nanostores';
import { createSearch } from './search.ts';

/** What was found for a text; null while there is nothing to show. */
export type Found<Row> = Readonly<{ text: string; found: readonly Row[]; hasFailed: boolean }> | null;

export type Lookup<Row> = Readonly<{
  $found: ReadableAtom<Found<Row>>;
  $isPending: ReadableAtom<boolean>;
  /** Takes the field's text after a keystroke. */
  type(text: string): void;
}>;

/** How long an answer is waited for, in milliseconds. */
const timeout = 8_000;

/**
 * What a combobox lists for one field, by the rules of every search: 3 characters, 500 ms, the newest wins. An answer that
 * does not come counts as failed.
 */
export function createLookup<Row>(
  look: (text: string, signal: AbortSignal) => Promise<readonly Row[]>,
): Lookup<Row> {
  const $found = atom<Found<Row>>(null);
  let running = new AbortController();

  const search = createSearch(async (text) => {
    const mine = restart();
    if (text === '') return;
    const fail = () => {
      if (mine.signal.aborted) return;
      $found.set({ text, found: [], hasFailed: true });
      mine.abort();
    };
    const late = setTimeout(fail, timeout);
    try {
      const found = await look(text, mine.signal);
      if (!mine.signal.aborted) $found.set({ text, found, hasFailed: false });
    } catch {
      fail();
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
    $found,
    $isPending: search.$isPending,
    type(text) {
      restart();
      $found.set(null);
      search.type(text);
    },
  };
}
