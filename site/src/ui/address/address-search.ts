import { atom, type ReadableAtom } from 'nanostores';
import { singleLine } from '#core/values/text.ts';
import { createSearch } from '#site/lib/search.ts';
import {
  type AddressSuggestion,
  type ChosenAddress,
  fetchAddress,
  fetchSuggestions,
} from './addresses-api.ts';

/** `text` is what the suggestions answer; null while there is nothing to suggest. */
export type Suggested = Readonly<{
  text: string;
  suggestions: readonly AddressSuggestion[];
  hasFailed: boolean;
}> | null;

export type AddressSearch = Readonly<{
  $suggested: ReadableAtom<Suggested>;
  $isPending: ReadableAtom<boolean>;
  /** Takes the field's text after a keystroke. */
  type(text: string): void;
  /** What a suggestion stands for. Without an answer its own text does: a lost connection prevents no choice. */
  choose(suggestion: AddressSuggestion): Promise<ChosenAddress>;
}>;

/** How long suggestions are waited for, in milliseconds. */
const timeout = 8_000;

/** An address that no suggestion has, as it was typed. */
export function addressAsTyped(text: string): ChosenAddress {
  return { address: singleLine(text), placeId: null, lat: null, lng: null };
}

/** Suggestions for one address field, by the rules of every search. */
export function createAddressSearch(): AddressSearch {
  const $suggested = atom<Suggested>(null);
  let token = crypto.randomUUID();
  let running = new AbortController();

  const search = createSearch(async (text) => {
    const mine = restart();
    if (text === '') return;
    const fail = () => {
      if (mine.signal.aborted) return;
      $suggested.set({ text, suggestions: [], hasFailed: true });
      mine.abort();
    };
    const late = setTimeout(fail, timeout);
    try {
      const suggestions = await fetchSuggestions(text, token, mine.signal);
      if (!mine.signal.aborted) $suggested.set({ text, suggestions, hasFailed: false });
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
    $suggested,
    $isPending: search.$isPending,
    type(text) {
      restart();
      $suggested.set(null);
      search.type(text);
    },
    async choose({ id, address }) {
      const mine = token;
      token = crypto.randomUUID();
      $suggested.set(null);
      return fetchAddress(id, mine).catch(() => ({ address, placeId: id, lat: null, lng: null }));
    },
  };
}
