import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Region } from '#core/values/region.ts';

/** What Natural Earth counts as the countries of a region: their islands have codes of their own. */
const countries: Record<Region, readonly string[]> = {
  au: ['Australia', 'Norfolk Island', 'Indian Ocean Ter.'],
  nz: ['New Zealand'],
};

export function isMapped(region: string): region is Region {
  return Object.hasOwn(countries, region);
}

/** Thousandths of a degree, about 100 m: finer than the source. */
export const unitsPerDegree = 1_000;

/** The least island that is drawn, in square thousandths of a degree: about one square kilometre. */
const leastArea = 100;

/**
 * The coastlines of a region: one list per ring, the first point's longitude and latitude and then the steps to the
 * next, all whole thousandths of a degree. Longitudes go on beyond 180, so that no island lies at the map's other end.
 */
export function coastlines(region: Region): number[][] {
  const atlas: Topology<{ countries: GeometryCollection<{ name: string }> }> = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('world-atlas/countries-10m.json'), 'utf8'),
  );
  return feature(atlas, atlas.objects.countries)
    .features.filter(({ properties }) => countries[region].includes(properties.name))
    .flatMap(({ geometry }) => {
      if (geometry.type === 'Polygon') return geometry.coordinates;
      return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
    })
    .map((ring) => ring.map(([lng = 0, lat = 0]) => pointOf(lng, lat)))
    .filter((ring) => areaOf(ring) >= leastArea)
    .map(stepsOf);
}

export function pointOf(lng: number, lat: number): [x: number, y: number] {
  return [Math.round((lng < 0 ? lng + 360 : lng) * unitsPerDegree), Math.round(lat * unitsPerDegree)];
}

function areaOf(ring: readonly [number, number][]): number {
  let twice = 0;
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    twice += x * nextY - nextX * y;
  }
  return Math.abs(twice) / 2;
}

function stepsOf(ring: readonly [number, number][]): number[] {
  let [atX, atY] = [0, 0];
  const steps: number[] = [];
  for (const [index, [x, y]] of ring.entries()) {
    const isRepeat = index > 0 && x === atX && y === atY;
    if (!isRepeat) steps.push(x - atX, y - atY);
    [atX, atY] = [x, y];
  }
  return steps;
}
