import type { Place } from '#api/providers/addresses/gazetteer/place.ts';
import { placeKey } from '#api/providers/addresses/gazetteer/place.ts';
import { places } from '#api/providers/addresses/gazetteer/places.ts';
import type { Region } from '#core/values/region.ts';
import type { Postcodes } from './postcodes.ts';
import { type Stretch, stretches } from './range-table.ts';

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
