import { defineConfig } from 'astro/config';
import { cssLayerOrder } from '../../../site/adapter/css-layer-order.ts';

/** A site of nothing but layouts, so that each option is proved apart from the page that happens to use it. */
export default defineConfig({
  srcDir: '.',
  cacheDir: '../../../node_modules/.cache/layout-site',
  outDir: process.env.LAYOUT_SITE_OUT ?? 'dist',
  build: { format: 'file', inlineStylesheets: 'never' },
  vite: { plugins: [cssLayerOrder()], cacheDir: '../../../node_modules/.vite/layout-site' },
});
