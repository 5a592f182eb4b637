import tzLookup from '@photostructure/tz-lookup';
import { type Place, places } from '#api/providers/addresses/places.ts';
import { defaultTimeZones, type Region } from '#core/values/region.ts';
import { defaultLocation } from '#core/values/registration-steps.ts';
import { isTimeZone } from '#core/values/time.ts';
import { findTrade } from '#core/values/trade-catalogue.ts';

/** A middle of an area, in degrees. */
type Middle = Readonly<{ lat: number; lng: number }>;
type Located = Readonly<{ location: Middle }>;

/** Degrees beyond which the nearest town is too far away to name a business after. */
const NEARBY = 0.5;

/**
 * The IANA zone in which a business works, by the centre of the area it covers; its region's usual one while that is still
 * the middle of nowhere, or out at sea.
 */
export function zoneOf({ location }: Located, region: Region): string {
  if (isUnset(location)) return defaultTimeZones[region];
  const zone = tzLookup(location.lat, location.lng);
  return isTimeZone(zone) && !zone.startsWith('Etc/') ? zone : defaultTimeZones[region];
}

/** What the public page says under the name: `Plumbers, Brunswick VIC`; without a town near the centre, what they are. */
export async function taglineOf(
  answers: Located & Readonly<{ trades: readonly string[] }>,
  region: Region,
): Promise<string> {
  const people = findTrade(answers.trades[0] ?? '')?.people ?? '';
  const place = isUnset(answers.location) ? null : nearest(await places(), answers.location, region);
  const town = place && (region === 'au' ? `${place.name} ${place.region}` : place.name);
  return [people, town].filter(Boolean).join(', ');
}

/** Whether an area is still the one that every business begins with. */
export function isUnset({ lat, lng }: Middle): boolean {
  return lat === defaultLocation.lat && lng === defaultLocation.lng;
}

function nearest(known: readonly Place[], { lat, lng }: Middle, region: Region): Place | null {
  let best: Place | null = null;
  let least = NEARBY;
  for (const place of known) {
    if (place.country !== region || Math.abs(place.lat - lat) > least) continue;
    const distance = Math.hypot(place.lat - lat, (place.lng - lng) * Math.cos((lat * Math.PI) / 180));
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}
