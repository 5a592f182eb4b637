import type { Plugin } from 'vite';
import type { Region } from '#core/values/region.ts';
import { coastlines, isMapped } from './coastlines.ts';
import { towns } from './towns.ts';

const prefix = 'virtual:map-base/';

/** What the map is drawn from: `site/src/env.d.ts` describes it to the pages that import it. */
export function mapBaseOf(region: Region) {
  return { land: coastlines(region), towns: towns(region) };
}

/** Serves `virtual:map-base/au` and `/nz`: the map's own base, made from the installed packages when the site is built. */
export function mapBase(): Plugin {
  // Both builds of the site, the browser's and the server's, come by here.
  const texts = new Map<Region, string>();
  const textOf = (region: Region): string => {
    const text = texts.get(region) ?? JSON.stringify(mapBaseOf(region));
    texts.set(region, text);
    return text;
  };
  return {
    name: 'map-base',
    resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
    load(id) {
      const region = id.slice(prefix.length + 1);
      if (!id.startsWith(`\0${prefix}`) || !isMapped(region)) return null;
      // Text for JSON.parse: a browser reads that several times faster than a literal.
      return `export const base = JSON.parse(${JSON.stringify(textOf(region))});`;
    },
  };
}
