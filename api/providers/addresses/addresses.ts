/** How exactly a point is known: the address itself, its street, or only the place around it. */
export type Precision = 'address' | 'street' | 'locality';

export type AddressSuggestion = Readonly<{
  /** Opaque; for `find`. */
  id: string;
  address: string;
}>;

/** An address that was chosen. Degrees (WGS 84), null when only the text is known. */
export type FoundAddress = Readonly<{
  placeId: string;
  address: string;
  formatted_address: string;
  lat: number | null;
  lng: number | null;
  precision: Precision;
}>;

/** The centre of what is offered first: a fixed point in Melbourne. */
export const bias = { lat: -37.81, lng: 144.96 } as const;

/** The most suggestions that are answered at once. */
export const mostSuggestions = 6;

/**
 * Street addresses of Australia and New Zealand, the nearest to Melbourne first. `session` names one person typing one
 * address, for providers that bill by it. Both throw `ProviderError` when the provider fails.
 */
export type Addresses = Readonly<{
  suggest(query: string, session: string | null): Promise<readonly AddressSuggestion[]>;
  /** The suggestion with this id; null when the provider does not know it. */
  find(id: string, session: string | null): Promise<FoundAddress | null>;
}>;
