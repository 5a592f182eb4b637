import type { Region } from '#core/values/region.ts';
import type { TrustedTypes } from '#site/lib/trusted-types.ts';
import { type MapSource, mapSource } from './map-source.ts';

export type LoadedMap = Readonly<{
  CoverageMap: typeof import('./CoverageMap.tsx').CoverageMap;
  source: MapSource;
}>;

/** The map's code and what it is drawn from, both at once. Rejects where the network fails. */
export async function loadCoverageMap(region: Region): Promise<LoadedMap> {
  letLeafletProbe();
  const [{ CoverageMap }, source] = await Promise.all([import('./CoverageMap.tsx'), mapSource(region)]);
  return { CoverageMap, source };
}

/** Leaflet writes these into an element of no page when it loads, to test what the browser draws. */
const probes = ['<svg/>', '<v:shape adj="1"/>'];

/** Pages let no text become markup, save these two: else Leaflet does not start. */
function letLeafletProbe(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes || trustedTypes.defaultPolicy) return;
  trustedTypes.createPolicy('default', { createHTML: (text) => (probes.includes(text) ? text : null) });
}
