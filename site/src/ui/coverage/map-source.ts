import type { Region } from '#core/values/region.ts';
import { request } from '#site/lib/http/api.ts';
import { loadMapBase, type MapBase } from '#site/ui/map/map-base.ts';

/** The tiles that the operator configured; `url` with {z}, {x} and {y}. */
export type Tiles = Readonly<{ url: string; attribution: string }>;

/** What the map is drawn from: configured tiles, else the product's own base. */
export type MapSource = Readonly<{ tiles: Tiles } | { base: MapBase }>;

const sources = new Map<Region, Promise<MapSource>>();

/** What the map of a region is drawn from. Without configured tiles there are none. */
export function mapSource(region: Region): Promise<MapSource> {
  const known = sources.get(region);
  if (known) return known;
  const source = load(region);
  sources.set(region, source);
  // What failed is asked for anew the next time.
  source.catch(() => sources.delete(region));
  return source;
}

async function load(region: Region): Promise<MapSource> {
  const asked = request('GET', '/map-tiles').catch(() => ({ tiles: null }));
  const { tiles } = await asked;
  return tiles ? { tiles } : { base: await loadMapBase(region) };
}
