import { atom, type ReadableAtom } from 'nanostores';
import { countCharacters, searchLength } from '#core/values/text.ts';

/** From the last keystroke until a search begins, in milliseconds. */
const searchPause = 500;

export type SearchTimer = Readonly<{
  /** Takes the field's text after a keystroke. */
  type(text: string): void;
  /** Searches at once, for the Enter key; still not below three characters. */
  submit(text: string): void;
}>;

/**
 * Runs `onSearch` 500 ms after the last keystroke of three or more characters, and at once with '' for an empty field.
 * A newer keystroke cancels the search that waits. `onPending` is called with true from the keystroke that starts a search until its
 * result is there.
 */
export function createSearchTimer(
  onSearch: (text: string) => Promise<unknown> | undefined,
  onPending: (isPending: boolean) => void = () => undefined,
): SearchTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;

  async function run(text: string): Promise<void> {
    latest += 1;
    const mine = latest;
    try {
      await onSearch(text);
    } finally {
      if (mine === latest) onPending(false);
    }
  }

  function take(text: string, pause: number): void {
    clearTimeout(timer);
    const wanted = text.trim();
    if (wanted === '') {
      onPending(false);
      void run('');
    } else if (countCharacters(wanted) < searchLength.min) {
      latest += 1;
      onPending(false);
    } else {
      onPending(true);
      timer = setTimeout(() => void run(wanted), pause);
    }
  }

  return { type: (text) => take(text, searchPause), submit: (text) => take(text, 0) };
}

/** A search with `$isPending`: true from the keystroke that starts it until its result is there. */
export type Search = SearchTimer & Readonly<{ $isPending: ReadableAtom<boolean> }>;

/** `createSearchTimer` with a store that a page can draw. */
export function createSearch(onSearch: (text: string) => Promise<unknown> | undefined): Search {
  const $isPending = atom(false);
  return { $isPending, ...createSearchTimer(onSearch, (isPending) => $isPending.set(isPending)) };
}
