import { type Addresses, mostSuggestions } from '#api/providers/addresses/addresses.ts';
import { formatAddress, type Place, placeKey, places } from './places.ts';
import { type Reading, readStreet, type TypedAddress } from './street.ts';

const PREFIX = 'gz_';

/**
 * Addresses without a provider: the street as it was typed, in a place that exists. The street is not checked, so the
 * precision is the place's; without a house number or the beginning of a place there is nothing to offer.
 */
export const gazetteerAddresses: Addresses = {
  async suggest(query) {
    const typed = readStreet(query);
    const known = await places();
    const found = new Map<string, { id: string; address: string }>();
    for (const reading of typed.readings) {
      for (const place of matches(known, reading, typed)) {
        const address = formatAddress(reading.street, place, typed.postcode);
        if (!found.has(address))
          found.set(address, { address, id: idOf(reading.street, place, typed.postcode) });
        if (found.size === mostSuggestions) return [...found.values()];
      }
    }
    return [...found.values()];
  },

  async find(placeId) {
    const chosen = readId(placeId);
    const place = chosen && (await places()).find((one) => pointOf(one) === chosen.point);
    if (!place) return null;
    const address = formatAddress(chosen.street, place, chosen.postcode);
    const { lat, lng } = place;
    return { placeId, address, formatted_address: address, lat, lng, precision: 'locality' };
  },
};

/** Places whose name and region begin so; the whole name before its beginnings, the nearest first among equals. */
function matches(known: readonly Place[], { locality, sure }: Reading, { state }: TypedAddress): Place[] {
  if (locality.length < (sure ? 1 : 3)) return [];
  const key = placeKey(locality);
  const alike = known.filter(({ searched }) => searched.startsWith(key));
  const here = alike.filter(({ region }) => state === '' || region === state);
  const isWhole = (place: Place) => key.length >= place.key.length;
  return [...here.filter(isWhole), ...here.filter((place) => !isWhole(place))].slice(0, mostSuggestions);
}

function pointOf({ lat, lng }: Place): string {
  return `${lat},${lng}`;
}

function idOf(street: string, place: Place, postcode: string): string {
  return PREFIX + Buffer.from([pointOf(place), postcode, street].join('|')).toString('base64url');
}

/** What an id says; null when it is none of ours. It holds what was typed, so it is checked like anything typed. */
function readId(id: string): { point: string; postcode: string; street: string } | null {
  if (!id.startsWith(PREFIX)) return null;
  const text = Buffer.from(id.slice(PREFIX.length), 'base64url').toString('utf8');
  const [, point, postcode, street] = /^(-?[\d.]+,-?[\d.]+)\|(\d{4}|)\|([^|\p{Cc}]{1,80})$/u.exec(text) ?? [];
  return point === undefined || postcode === undefined || !street ? null : { point, postcode, street };
}
