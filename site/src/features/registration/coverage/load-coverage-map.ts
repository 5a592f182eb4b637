import type { Region } from '#core/values/region.ts';
import { type MapSource, mapSource } from './map-source.ts';

export type LoadedMap = Readonly<{
  CoverageMap: typeof import('./CoverageMap.tsx').CoverageMap;
  source: MapSource;
}>;

/** The map's code and what it is drawn from, both at once. Rejects where the network fails. */
export async function loadCoverageMap(region: Region): Promise<LoadedMap> {
  const [{ CoverageMap }, source] = await Promise.all([import('./CoverageMap.tsx'), mapSource(region)]);
  return { CoverageMap, source };
}
