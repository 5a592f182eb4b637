import { atom, type ReadableAtom } from 'nanostores';
import { isSlug, normaliseSlug, slugLength, slugMessage } from '#core/values/slug.ts';
import { checkSlug } from '#site/lib/settings-api.ts';

/** How long typing has to pause before the address is checked, in milliseconds. */
const PAUSE = 500;

/** What is known of the address in the field. `unchecked`: the server could not be asked, and decides when it is saved. */
export type SlugState = 'none' | 'checking' | 'available' | 'unavailable' | 'unchecked';

export type SlugCheck = Readonly<{
  $state: ReadableAtom<SlugState>;
  /** Takes the field's text after a keystroke. */
  type(text: string): void;
  stop(): void;
}>;

/**
 * Checks an address as it is typed (spec.md §4): nothing below 3 characters, unavailable at once where the rule is
 * broken, else the server is asked after a pause. `own` is the address that the business has.
 */
export function createSlugCheck(own: string | null): SlugCheck {
  const state = atom<SlugState>('none');
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();

  async function ask(slug: string, { signal }: AbortController): Promise<void> {
    const outcome = await checkSlug(slug, signal).then(
      ({ available }) => (available ? 'available' : 'unavailable') as SlugState,
      () => 'unchecked' as const,
    );
    if (!signal.aborted) state.set(outcome);
  }

  function stop(): void {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
  }

  return {
    $state: state,
    stop,
    type(text) {
      stop();
      const slug = normaliseSlug(text);
      if (slug.length < slugLength.min || slug === own) return state.set('none');
      if (!isSlug(slug)) return state.set('unavailable');
      state.set('checking');
      timer = setTimeout(() => void ask(slug, running), PAUSE);
    },
  };
}

/** What stands below the field. */
export const slugNotes: Readonly<Record<SlugState, string>> = {
  none: '',
  checking: 'Checking…',
  available: 'This address is free',
  unavailable: slugMessage,
  unchecked: 'We could not check this just now. You can try to save it.',
};
