import { singleLine } from '#core/values/text.ts';
import { type AnswerOf, type QueryOf, request } from '#site/lib/http/api.ts';
import { newId } from '#site/lib/secure/new-id.ts';
import { createLookup, type Found, type Lookup } from '#site/ui/form/lookup.ts';

export type AddressSuggestion = AnswerOf<'GET', '/addresses'>['addresses'][number];

/** An address that counts as chosen. `placeId`, `lat` and `lng` (degrees, WGS 84) are null where only the text is known. */
export type ChosenAddress = Readonly<{
  address: string;
  placeId: string | null;
  lat: number | null;
  lng: number | null;
}>;

/** Street addresses that begin like the text. `token` names this round of typing to the provider. */
async function fetchSuggestions(
  text: string,
  token: string,
  signal: AbortSignal,
): Promise<readonly AddressSuggestion[]> {
  const query = new URLSearchParams({ q: text, token } satisfies QueryOf<'GET', '/addresses'>);
  const { addresses } = await request('GET', `/addresses?${query}`, {
    signal,
  });
  return addresses;
}

/** Where a suggestion is; ends the round of typing. */
async function fetchAddress(id: string, token: string): Promise<ChosenAddress> {
  const query = new URLSearchParams({ token } satisfies QueryOf<'GET', `/addresses/${string}`>);
  const path = `/addresses/${encodeURIComponent(id)}?${query}` as const;
  const { address: found } = await request('GET', path);
  const { formatted_address: address, placeId, lat, lng } = found;
  return { address, placeId, lat, lng };
}

/** An address that no suggestion has, as it was typed. */
export function addressAsTyped(text: string): ChosenAddress {
  return { address: singleLine(text), placeId: null, lat: null, lng: null };
}

export type Suggested = Found<AddressSuggestion>;

export type AddressSearch = Lookup<AddressSuggestion> &
  Readonly<{
    /** What a suggestion stands for. Without an answer its own text does: a lost connection prevents no choice. */
    choose(suggestion: AddressSuggestion): Promise<ChosenAddress>;
  }>;

/** What suggests addresses, and says where they are. */
export type AddressSource = Readonly<{
  fetchSuggestions: typeof fetchSuggestions;
  fetchAddress: typeof fetchAddress;
}>;

/** Suggestions for one address field. */
export function createAddressSearch(
  source: AddressSource = { fetchSuggestions, fetchAddress },
): AddressSearch {
  let token = newId();
  return {
    ...createLookup((text, signal) => source.fetchSuggestions(text, token, signal)),
    async choose({ id, address }) {
      const mine = token;
      token = newId();
      return source.fetchAddress(id, mine).catch(() => ({ address, placeId: id, lat: null, lng: null }));
    },
  };
}
