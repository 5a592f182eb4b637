import type { Region } from '#core/values/region.ts';

/** A name and its place in whole thousandths of a degree; longitudes go on beyond 180. */
export type Town = readonly [name: string, x: number, y: number];

/**
 * What a region's map is drawn from. `land`: one list per coastline, its first point and then the steps to the next.
 * `towns`: the weightiest first; the first `cities`, `centres` and `lonely` of them are worth a name from far away.
 */
export type MapBase = Readonly<{
  land: readonly (readonly number[])[];
  towns: Readonly<{ names: readonly Town[]; cities: number; centres: number; lonely: number }>;
}>;

const sources: Record<Region, () => Promise<{ base: MapBase }>> = {
  au: () => import('virtual:map-base/au'),
  nz: () => import('virtual:map-base/nz'),
};

/** The base of a region's map, from this site's own files. Rejects where the network fails. */
export async function loadMapBase(region: Region): Promise<MapBase> {
  return (await sources[region]()).base;
}

/** A point of the world as the map lays it out: 0 to 1 from west to east and north to south, beyond 1 past 180 degrees. */
export type WorldPoint = Readonly<{ x: number; y: number }>;

/** A coastline as x, y, x, y … and the box around it. */
export type Ring = Readonly<{
  points: Float64Array;
  west: number;
  east: number;
  north: number;
  south: number;
}>;

/** Web Mercator, as map tiles have it. Degrees. */
export function projected(lng: number, lat: number): WorldPoint {
  const sine = Math.sin((lat * Math.PI) / 180);
  return { x: lng / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) };
}

export function placeOf([, x, y]: Town): WorldPoint {
  return projected(x / 1_000, y / 1_000);
}

/** The coastlines of a base, each ready to be drawn at any scale. */
export function ringsOf({ land }: MapBase): Ring[] {
  return land.map((steps) => {
    const points = new Float64Array(steps.length);
    let [lng, lat] = [0, 0];
    let [west, east, north, south] = [2, 0, 1, 0];
    for (let at = 0; at < steps.length; at += 2) {
      lng += steps[at] ?? 0;
      lat += steps[at + 1] ?? 0;
      const { x, y } = projected(lng / 1_000, lat / 1_000);
      points[at] = x;
      points[at + 1] = y;
      [west, east] = [Math.min(west, x), Math.max(east, x)];
      [north, south] = [Math.min(north, y), Math.max(south, y)];
    }
    return { points, west, east, north, south };
  });
}

/** The name of the place that a point is nearest to; `lng` goes on beyond 180. Null on a base without names. */
export function nearestTown(
  { towns }: MapBase,
  { lat, lng }: Readonly<{ lat: number; lng: number }>,
): string | null {
  const shorter = Math.cos((lat * Math.PI) / 180);
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [name, x, y] of towns.names) {
    const distance = Math.hypot(y / 1_000 - lat, (x / 1_000 - lng) * shorter);
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}
