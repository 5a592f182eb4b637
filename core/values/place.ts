const COUNTRY = /^(australia|new zealand|aotearoa|nz|au)$/i;
const STATE = /^(act|nsw|nt|qld|sa|tas|vic|wa)$/i;
/** A word that ends the name of a street, alone or cut short. */
const STREET_WORD = String.raw`\b(?:alley|ave|avenue|boulevard|bvd|blvd|cct|circuit|cl|close|court|ct|cres|crescent|dr|drive|esplanade|grove|gr|highway|hwy|lane|ln|parade|pde|place|pl|quay|rd|rise|road|sq|square|st|street|terrace|tce|track|walk|way)\.?`;
const STREET = new RegExp(String.raw`${STREET_WORD}(?=\s|$)`, 'i');
const STREET_END = new RegExp(`${STREET_WORD}$`, 'i');
const IN_STATE = / (?:act|nsw|nt|qld|sa|tas|vic|wa)$/i;
const BRACKETS = /\s*\([^)]*\)$/;
/** A word of those that also ends names of places, such as Kelvin Grove and Raymond Terrace. */
const STREET_OR_PLACE = /\b(avenue|court|grove|place|rise|square|terrace)$/i;
/** What is longer is no name of a place. */
const LONGEST = 60;

/**
 * The suburb or town of an address as people write it, with its state: '22/140 Lygon St, Brunswick East VIC 3057' is in
 * 'Brunswick East VIC'. Null where that cannot be told for sure. For an address that holds no contact, or may be seen.
 */
export function placeIn(address: string): string | null {
  const parts = address
    .split(',')
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '' && !COUNTRY.test(part));
  const tail = parts.length > 1 ? parts.slice(1) : [afterStreet(parts[0] ?? '')];
  const named = tail.map((part) => part.replace(/\s*\b\d{4}$/, '').trim());
  const isStreetSaid = parts.length > 1 && /\d.*\s/.test(parts[0] ?? '') && STREET_END.test(parts[0] ?? '');
  const places = named.filter((part, index) =>
    isPlace(part, isStreetSaid || STATE.test(named[index + 1] ?? '')),
  );
  if (places.length === 0 || places.every((place) => STATE.test(place))) return null;
  return places.join(' ').length <= LONGEST ? joined(places) : null;
}

/** The suburb or town alone, as a tradie speaks of it: without state, city and what stands in brackets. Null as `placeIn`. */
export function suburbIn(address: string): string | null {
  const place = placeIn(address.replace(/\s*\([^)]*\)/g, ''));
  return place?.replace(IN_STATE, '').split(', ')[0] ?? null;
}

/**
 * A name of a place: no digits, so that no number of a house or phone comes with it, and no street. Lane Cove begins as none does; with its
 * state behind it, or its street before it, Kelvin Grove is a place as well.
 */
function isPlace(part: string, isClear: boolean): boolean {
  if (!/^[\p{L}][\p{L}\p{M}' ’.()-]*$/u.test(part)) return false;
  const name = part.replace(BRACKETS, '').replace(IN_STATE, '');
  if (isClear || IN_STATE.test(part)) return !STREET_END.test(name) || STREET_OR_PLACE.test(name);
  return !STREET_END.test(name) && !STREET.test(name.replace(/^\S+ (?=\S)/, ''));
}

/** '12 Smith St Fitzroy VIC 3065' has no comma: what follows the street's own word. In '9 Bay Rd Lane Cove' the second such word is the place's. */
function afterStreet(part: string): string {
  const words = part.split(' ');
  const isStreet = (index: number) =>
    index > 0 &&
    STREET.test(words[index] ?? '') &&
    !isSaint(words, index) &&
    namesMore(words.slice(index + 1));
  const last = words.findLastIndex((_, index) => isStreet(index) && !isStreet(index - 1));
  return last < 0 ? '' : words.slice(last + 1).join(' ');
}

function namesMore(words: readonly string[]): boolean {
  return words.some((word) => !STATE.test(word) && !/^\d{4}$/.test(word));
}

/** In 'Smith St St Kilda' the second one is a saint's. */
function isSaint(words: readonly string[], index: number): boolean {
  return (
    /^st\.?$/i.test(words[index] ?? '') && STREET.test(words[index - 1] ?? '') && index + 1 < words.length
  );
}

function joined(places: readonly string[]): string {
  return places.reduce((text, place) => `${text}${STATE.test(place) ? ' ' : ', '}${place}`);
}

/** Where a place is, as an address suggestion answered it and arktype reads it. Degrees (WGS 84). */
export const placeFields = {
  'placeId?': 'string <= 300 | null',
  'lat?': '-90 <= number <= 90 | null',
  'lng?': '-180 <= number <= 180 | null',
} as const;

/** What is wrong with a point, by field; `{}` when it has both of its numbers, or neither. */
export function pointProblems({
  lat = null,
  lng = null,
}: Readonly<{ lat?: number | null; lng?: number | null }>): {
  lat?: string;
  lng?: string;
} {
  if ((lat === null) === (lng === null)) return {};
  return { [lat === null ? 'lat' : 'lng']: 'Send lat and lng together, or neither' };
}

/** Degrees; null where nothing is known of the place. */
export type Place = Readonly<{ lat: number | null; lng: number | null }>;

/** The mean radius of the Earth in kilometres. */
const earth = 6_371;

/** How far it is in a straight line, such as `4.2 km`; null where one of the places is unknown. */
export function distanceWords(from: Place | null, to: Place): string | null {
  if (from === null) return null;
  const [a, b] = [inRadians(from), inRadians(to)];
  if (a === null || b === null) return null;
  const arc =
    Math.sin((b.lat - a.lat) / 2) ** 2 +
    Math.cos(a.lat) * Math.cos(b.lat) * Math.sin((b.lng - a.lng) / 2) ** 2;
  return `${(2 * earth * Math.asin(Math.min(1, Math.sqrt(arc)))).toFixed(1)} km`;
}

function inRadians({ lat, lng }: Place): { lat: number; lng: number } | null {
  return lat === null || lng === null ? null : { lat: (lat * Math.PI) / 180, lng: (lng * Math.PI) / 180 };
}
