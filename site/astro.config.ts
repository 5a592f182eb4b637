import react from '@astrojs/react';
import { defineConfig, passthroughImageService } from 'astro/config';
import { bunServer } from './adapter/bun-server.ts';
import { chunks } from './adapter/chunks.ts';
import { cssLayerOrder } from './adapter/css-layer-order.ts';
import { directIslands } from './adapter/direct-islands.ts';
import { inlinedScripts } from './adapter/inlined-scripts.ts';
import { mapBase } from './adapter/map-base/plugin.ts';
import { modulePreloads } from './adapter/module-preloads.ts';
import { offlineWorker } from './adapter/offline-worker.ts';
import { pageScripts } from './adapter/page-scripts.ts';
import { pageStyles } from './adapter/page-styles.ts';

const apiOrigin = process.env.API_ORIGIN ?? 'http://localhost:4321';

export default defineConfig({
  outDir: '../dist',
  cacheDir: '../node_modules/.cache/site',
  output: 'static',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'never' },
  adapter: bunServer(),
  integrations: [
    react(),
    pageScripts(),
    pageStyles(),
    directIslands(),
    modulePreloads(),
    inlinedScripts(),
    offlineWorker(),
  ],
  // No page draws pictures anew: without this, the build brings sharp and the server would load it.
  image: { service: passthroughImageService() },
  session: false,
  devToolbar: { enabled: false },
  security: {
    checkOrigin: true,
    csp: {
      directives: [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ],
    },
  },
  vite: {
    plugins: [cssLayerOrder(), mapBase()],
    // A data: font would need its own CSP exception, and every file under /_astro/ is cached for good anyway.
    build: { assetsInlineLimit: 0 },
    cacheDir: '../node_modules/.vite/site',
    worker: { format: 'es' },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            output: {
              codeSplitting: chunks,
            },
          },
        },
      },
    },
    server: { proxy: { '/api': apiOrigin, '/logos': apiOrigin } },
  },
});
