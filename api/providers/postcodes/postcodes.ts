import type { Region } from '#core/values/region.ts';

/** Where a postcode is. `area`: only the town that its first digits belong to; `exact`: its own centre. */
export type PostcodePlace = Readonly<{
  lat: number;
  lng: number;
  name: string;
  /** Abbreviation of the state in Australia, name of the region in New Zealand. */
  state: string;
  precision: 'area' | 'exact';
}>;

export type Postcodes = Readonly<{
  /** The place of four digits; null when no place there has them. */
  find(postcode: string, region: Region): Promise<PostcodePlace | null>;
}>;

/** Four digits, as both countries have them. */
export function isPostcode(text: string): boolean {
  return /^\d{4}$/.test(text);
}
