import { type AnswerOf, request } from '#site/lib/http/api.ts';

export type AddressSuggestion = AnswerOf<'GET', '/addresses'>['addresses'][number];

/** An address that counts as chosen. `placeId`, `lat` and `lng` (degrees, WGS 84) are null where only the text is known. */
export type ChosenAddress = Readonly<{
  address: string;
  placeId: string | null;
  lat: number | null;
  lng: number | null;
}>;

/** Street addresses that begin like the text. `token` names this round of typing to the provider. */
export async function fetchSuggestions(
  text: string,
  token: string,
  signal: AbortSignal,
): Promise<readonly AddressSuggestion[]> {
  const query = new URLSearchParams({ q: text, token });
  const { addresses } = await request('GET', `/addresses?${query}`, {
    signal,
  });
  return addresses;
}

/** Where a suggestion is; ends the round of typing. */
export async function fetchAddress(id: string, token: string): Promise<ChosenAddress> {
  const query = new URLSearchParams({ token });
  const path = `/addresses/${encodeURIComponent(id)}?${query}` as const;
  const { address: found } = await request('GET', path);
  const { formatted_address: address, placeId, lat, lng } = found;
  return { address, placeId, lat, lng };
}
