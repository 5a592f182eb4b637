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
