import { fetchOutcome } from '#site/lib/http/fetch-outcome.ts';

/** An address that was chosen from suggestions; `lat` and `lng` in degrees, WGS 84, null where only its text is known. */
export type Place = Readonly<{
  address: string;
  placeId: string | null;
  lat: number | null;
  lng: number | null;
}>;
export type Suggestion = Readonly<{ id: string; address: string }>;

const addresses = (slug: string) => `/public-forms/${encodeURIComponent(slug)}/addresses`;

/** Street addresses that begin like the text, null where no provider answers. `token` names this round of typing. */
export async function suggestPlaces(
  slug: string,
  text: string,
  token: string,
): Promise<readonly Suggestion[] | null> {
  const query = new URLSearchParams({ q: text, token });
  const found = await fetchOutcome<{ addresses: readonly Suggestion[] }>(`${addresses(slug)}?${query}`);
  return found.kind === 'ok' ? found.payload.addresses : null;
}

/** Where a suggestion is. Its text alone where no provider answers: a lost connection prevents no choice. */
export async function findPlace(slug: string, { id, address }: Suggestion, token: string): Promise<Place> {
  const query = new URLSearchParams({ token });
  const found = await fetchOutcome<{
    address: Omit<Place, 'address'> & Readonly<{ formatted_address: string }>;
  }>(`${addresses(slug)}/${encodeURIComponent(id)}?${query}`);
  if (found.kind !== 'ok') return { address, placeId: id, lat: null, lng: null };
  const { formatted_address, placeId, lat, lng } = found.payload.address;
  return { address: formatted_address, placeId, lat, lng };
}
