import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createPages } from '#api/pages/pages.ts';
import { developmentPages, onDemandPages } from '#api/pages/site-routes.ts';
import { ensureSite } from '#api/runtime/launch/build.ts';
import {
  frameworkRoutes,
  prerenderedPages,
  renderedPages,
  siteFiles,
} from '#tests/support/route-inventory.ts';

const dist = new URL('../../dist/', import.meta.url).pathname;

type BuiltRoute = Readonly<{ route: string; origin: string; prerender: boolean }>;
let built: readonly BuiltRoute[];
beforeAll(async () => {
  await ensureSite();
  ({ routes: built } = await import(`${dist}server/entry.mjs`));
});

/** Astro's writing of a template in ours: `/t/[slug]` → `/t/:slug`. */
const templateOf = (route: string) => route.replace(/\[([a-z]+)\]/g, ':$1');
const filesBelow = (folder: string) =>
  readdirSync(dist + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(`${dist}${folder}`.length));

describe('the site has no route that is not in the inventory', () => {
  test('pages that are rendered for a request', () => {
    const rendered = built.filter(({ origin, prerender }) => origin === 'project' && !prerender);
    expect(rendered.map(({ route }) => templateOf(route)).sort()).toEqual([...renderedPages]);
    expect([...onDemandPages, ...developmentPages].sort()).toEqual([...renderedPages]);
  });

  test('what Astro, an adapter or an integration adds', () => {
    const added = built.filter(({ origin }) => origin !== 'project');
    expect(added.map(({ route }) => route).sort()).toEqual([...frameworkRoutes].sort());
  });

  test('files', () => {
    const files = filesBelow('client').filter((file) => !file.startsWith('/_astro/'));
    const pages = files.filter((file) => file.endsWith('.html') && !/^\/(404|500)\.html$/.test(file));
    const paths = pages.map((file) => file.replace(/\.html$/, '').replace(/^\/index$/, '/'));
    expect(paths.sort()).toEqual([...prerenderedPages]);
    expect(files.filter((file) => !file.endsWith('.html')).sort()).toEqual([...siteFiles]);
    const hashed = filesBelow('client/_astro');
    expect(
      hashed.filter((name) => !/^\/[\w.@-]+[.-][\w-]{6,}\.(js|css|woff2|json|png|svg)$/.test(name)),
    ).toEqual([]);
  });
});

describe('the built server', () => {
  test('answers for the pages of the inventory and for nothing else', async () => {
    const { has, render } = await createPages({ distDir: dist, origin: 'https://ute.example' });
    expect([...prerenderedPages, ...siteFiles, ...onDemandPages].filter((path) => !has(path))).toEqual([]);
    const refused = ['/_image', '/_server-islands/Any', '/_actions/any', ...developmentPages];
    for (const path of refused) {
      const request = new Request(`https://ute.example${path}?href=/icon.svg&w=64&f=webp`);
      const { status } = await render(request, { clientAddress: '203.0.113.9' });
      expect([path, status, has(path)]).toEqual([path, 404, false]);
    }
  });

  test('brings no library that draws pictures', () => {
    const chunks = filesBelow('server').map((file) => readFileSync(`${dist}server${file}`, 'utf8'));
    expect(chunks.filter((source) => /(\bfrom|\bimport)\s*\(?\s*["']sharp["']/.test(source))).toEqual([]);
    expect(readFileSync(new URL('../../bun.lock', import.meta.url), 'utf8')).not.toContain('"@img/');
  });
});
