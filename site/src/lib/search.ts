import { atom, type ReadableAtom } from 'nanostores';

/** The rules of every search in the product. */
export const shortestSearch = 3;
export const searchPause = 500;

export type Search = Readonly<{
  /** True from the keystroke that starts a search until its result is there. */
  $isPending: ReadableAtom<boolean>;
  /** Takes the field's text after a keystroke. */
  type(text: string): void;
  /** Searches at once, for the Enter key; still not below three characters. */
  submit(text: string): void;
}>;

/**
 * Runs `onSearch` 500 ms after the last keystroke of three or more characters, and at once with '' for an empty field.
 * A newer keystroke cancels the search that waits.
 */
export function createSearch(onSearch: (text: string) => Promise<unknown> | undefined): Search {
  const $isPending = atom(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;

  async function run(text: string): Promise<void> {
    latest += 1;
    const mine = latest;
    try {
      await onSearch(text);
    } finally {
      if (mine === latest) $isPending.set(false);
    }
  }

  function take(text: string, pause: number): void {
    clearTimeout(timer);
    const wanted = text.trim();
    if (wanted === '') {
      $isPending.set(false);
      void run('');
    } else if (wanted.length < shortestSearch) {
      latest += 1;
      $isPending.set(false);
    } else {
      $isPending.set(true);
      timer = setTimeout(() => void run(wanted), pause);
    }
  }

  return { $isPending, type: (text) => take(text, searchPause), submit: (text) => take(text, 0) };
}
