import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Starts every emitted stylesheet with the order of the cascade layers: a page links several, in an order of the
 * bundler's choice, and the first one to name a layer decides.
 */
export function cssLayerOrder(): Plugin {
  const order = readFileSync(new URL('../src/styles/layers.css', import.meta.url), 'utf8').trim();
  return {
    name: 'css-layer-order',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `${order}${file.source}`;
        }
      },
    },
  };
}
