/**
 * A town or suburb. `region` is the state's abbreviation in Australia, the region's name in New Zealand; `key` is the name
 * as it is compared, `searched` has the region after it.
 */
export type Place = Readonly<{
  name: string;
  key: string;
  searched: string;
  country: 'au' | 'nz';
  region: string;
  lat: number;
  lng: number;
}>;

const SPELLED: Record<string, string> = { st: 'saint', mt: 'mount', pt: 'port', nth: 'north', sth: 'south' };

/** A name as it is compared: without accents, marks and abbreviations. */
export function placeKey(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}|['’.]/gu, '')
    .toLowerCase()
    .split(/[\s-]+/)
    .map((word) => SPELLED[word] ?? word)
    .join(' ')
    .trim();
}

/** The street in its place, as it stands on a letter. */
export function formatAddress(street: string, place: Place, postcode: string): string {
  const { name, region, country } = place;
  if (country === 'au') return `${street}, ${[name, region, postcode].filter(Boolean).join(' ')}, Australia`;
  const town = region === '' || region === name ? name : `${name}, ${region}`;
  return `${street}, ${[town, postcode].filter(Boolean).join(' ')}, New Zealand`;
}
