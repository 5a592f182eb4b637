import { singleLine } from '#core/values/text.ts';
import { type Addresses, mostSuggestions } from './addresses.ts';
import { formatAddress, type Place, placeKey, places } from './places.ts';

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

/** How a typed line may be taken apart: a street, and the beginning of a place's name. */
type Reading = Readonly<{
  street: string;
  locality: string;
  /** The street ends in a word for streets, or a comma says where it ends. */
  sure: boolean;
}>;

type TypedAddress = Readonly<{ readings: readonly Reading[]; state: string; postcode: string }>;

const TYPES: Record<string, string> = {
  ...{ st: 'Street', str: 'Street', rd: 'Road', ave: 'Avenue', av: 'Avenue', dr: 'Drive', drv: 'Drive' },
  ...{ ct: 'Court', crt: 'Court', pl: 'Place', ln: 'Lane', cres: 'Crescent', cr: 'Crescent', tce: 'Terrace' },
  ...{ hwy: 'Highway', pde: 'Parade', bvd: 'Boulevard', blvd: 'Boulevard', cct: 'Circuit', cl: 'Close' },
  ...{ gr: 'Grove', gve: 'Grove', esp: 'Esplanade', sq: 'Square', wy: 'Way', qy: 'Quay' },
};
const WHOLE = new Set([
  ...Object.values(TYPES).map((word) => word.toLowerCase()),
  ...['way', 'walk', 'rise', 'mews', 'track', 'loop', 'row', 'broadway', 'promenade', 'crest', 'view'],
]);
const STATES = new Set(['vic', 'nsw', 'qld', 'tas', 'act', 'sa', 'wa', 'nt']);
const NUMBER =
  /^((?:(?:unit|flat|shop|apt|apartment|suite|level|lot|u)\s*)?\d+[a-z]?(?:\s*[/-]\s*\d+[a-z]?)*)\s+(\S.*)$/i;

/** Longer streets are no streets. */
const MOST_STREET = 80;

/** Takes "12 smith st fitz" apart in every way that makes sense, the surest first; no way at all without a house number. */
function readStreet(text: string): TypedAddress {
  const { line, state, postcode } = withoutEnd(singleLine(text));
  const [, number = '', rest = ''] = NUMBER.exec(line) ?? [];
  const readings = rest === '' ? [] : splits(rest).map((split) => readingOf(number, split));
  return { state, postcode, readings: readings.filter(({ street }) => street.length <= MOST_STREET) };
}

/** Country, postcode and state at the end say where, but are no part of the place's name. */
function withoutEnd(text: string) {
  let line = text.replace(/[\s,]+(australia|aus|au|new zealand|aotearoa|nz)$/i, '');
  const postcode = /[\s,]+(\d{4})$/.exec(line)?.[1] ?? '';
  if (postcode) line = line.replace(/[\s,]+\d{4}$/, '');
  const last = /[\s,]+([a-z]{2,3})$/i.exec(line)?.[1] ?? '';
  const state = STATES.has(last.toLowerCase()) ? last.toUpperCase() : '';
  return { line: state ? line.slice(0, -last.length).replace(/[\s,]+$/, '') : line, state, postcode };
}

type Split = Readonly<{ street: readonly string[]; locality: readonly string[]; sure: boolean }>;

function splits(rest: string): Split[] {
  const [street = '', ...places] = rest.split(',').map((part) => part.trim());
  const words = street.split(' ').filter(Boolean);
  const locality = (places[0] ?? '').split(' ').filter(Boolean);
  if (locality.length > 0) return words.length > 0 ? [{ street: words, locality, sure: true }] : [];
  const found = words.slice(1).map((_, index) => ({
    street: words.slice(0, index + 1),
    locality: words.slice(index + 1),
    sure: index > 0 && isType(words[index] ?? ''),
  }));
  // "12 smith st" may go on as a street or as St Kilda: one word more tells.
  const clear = found.filter((one) => one.sure || one.locality.length > 1 || !isType(one.locality[0] ?? ''));
  return clear.toSorted((a, b) => Number(b.sure) - Number(a.sure));
}

function isType(word: string): boolean {
  const bare = word.toLowerCase().replace(/\.$/, '');
  return Object.hasOwn(TYPES, bare) || WHOLE.has(bare);
}

function readingOf(number: string, { street, locality, sure }: Split): Reading {
  const last = street.length - 1;
  const spelled = street.map((word, index) =>
    index === last && index > 0 ? spellType(word) : capital(word),
  );
  const house = number
    .replace(/\s*([/-])\s*/g, '$1')
    .replace(/(\d)([a-z])\b/gi, (_, d, l) => d + l.toUpperCase());
  return {
    street: `${house.charAt(0).toUpperCase()}${house.slice(1)} ${spelled.join(' ')}`,
    locality: locality.join(' '),
    sure,
  };
}

function spellType(word: string): string {
  return TYPES[word.toLowerCase().replace(/\.$/, '')] ?? capital(word);
}

/** Typed capital letters stay. */
function capital(word: string): string {
  return word === word.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}
