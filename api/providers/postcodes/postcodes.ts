import { type Place, placeKey, places } from '#api/providers/addresses/places.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import type { Region } from '#core/values/region.ts';
import { type Stretch, stretches } from './range-table.ts';

/** Where a postcode is. `area`: only the town that its first digits belong to; `exact`: its own centre. */
type PostcodePlace = Readonly<{
  lat: number;
  lng: number;
  name: string;
  /** Abbreviation of the state in Australia, name of the region in New Zealand. */
  state: string;
  precision: 'area' | 'exact';
}>;

type Postcodes = Readonly<{
  /** The place of four digits; null when no place there has them. */
  find(postcode: string, region: Region): Promise<PostcodePlace | null>;
}>;

/** Four digits, as both countries have them. */
export function isPostcode(text: string): boolean {
  return /^\d{4}$/.test(text);
}

/** The postcodes of the file that the operator handed over, else of the embedded ranges. */
export function configuredPostcodes(file: string | undefined): Postcodes {
  return file === undefined ? rangePostcodes : filePostcodes(file);
}

/**
 * Postcodes out of GeoNames' postal file: tab-separated, with country, postcode, place, state and its code, …, latitude and
 * longitude. Both countries' files may stand in one. Read once, when first asked for; a file that cannot be read is tried
 * again each time.
 */
export function filePostcodes(path: string): Postcodes {
  let loading: Promise<ReadonlyMap<string, PostcodePlace>> | undefined;
  const load = async () => {
    loading ??= Bun.file(path).text().then(placesOf);
    try {
      return await loading;
    } catch {
      loading = undefined;
      throw new ProviderError('POSTCODES_FILE', 'cannot be read');
    }
  };
  return { find: async (postcode, region) => (await load()).get(`${region} ${postcode}`) ?? null };
}

type Line = Readonly<{ key: string; name: string; state: string; lat: number; lng: number }>;

/** A postcode has many places: it lies in the middle of them, and is called like the first. */
function placesOf(text: string): Map<string, PostcodePlace> {
  const lines = text.split('\n').flatMap((line) => lineOf(line) ?? []);
  const places = new Map<string, PostcodePlace>();
  for (const [key, group] of Map.groupBy(lines, (line) => line.key)) {
    const [first] = group;
    if (!first) continue;
    const middle = (of: (line: Line) => number) =>
      Math.round((group.reduce((sum, line) => sum + of(line), 0) / group.length) * 1e5) / 1e5;
    const { name, state } = first;
    places.set(key, {
      name,
      state,
      lat: middle(({ lat }) => lat),
      lng: middle(({ lng }) => lng),
      precision: 'exact',
    });
  }
  return places;
}

function lineOf(line: string): Line | null {
  const [country = '', postcode = '', name = '', region = '', code = '', , , , , lat = '', lng = ''] =
    line.split('\t');
  const known = country === 'AU' || country === 'NZ';
  const point = { lat: Number(lat), lng: Number(lng) };
  if (!known || !/^\d{4}$/.test(postcode) || lat === '' || !Number.isFinite(point.lat + point.lng))
    return null;
  return {
    key: `${country.toLowerCase()} ${postcode}`,
    name,
    state: country === 'AU' ? code : region,
    ...point,
  };
}

/** Postcodes without a file: the town that a stretch of numbers belongs to, which is good enough to begin a map with. */
export const rangePostcodes: Postcodes = {
  async find(postcode, region) {
    const number = Number(postcode);
    const stretch = stretches[region].findLast(({ from }) => from <= number);
    const place = stretch && (await placeOf(stretch, region));
    if (!place) return null;
    const { lat, lng, name } = place;
    return { lat, lng, name, state: place.region, precision: 'area' };
  },
};

/** The gazetteer's place of a stretch; null for numbers that no town has. */
export async function placeOf({ name, state }: Stretch, region: Region): Promise<Place | null> {
  if (name === null) return null;
  const key = placeKey(name);
  const alike = (await places()).filter((place) => place.country === region && place.key === key);
  return alike.find((place) => placeKey(place.region) === placeKey(state)) ?? null;
}
