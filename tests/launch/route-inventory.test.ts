import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import type { Deps } from '#api/deps.ts';
import { createPages, developmentPages, onDemandPages, type Pages } from '#api/pages/pages.ts';
import { ensureSite } from '#api/runtime/launch/build.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient } from '#tests/support/app/api-client.ts';
import {
  developmentOperations,
  frameworkRoutes,
  operations,
  prerenderedPages,
  renderedPages,
  siteFiles,
} from '#tests/support/operations/operations.ts';

const dist = new URL('../../dist/', import.meta.url).pathname;

type BuiltRoute = Readonly<{ route: string; origin: string; prerender: boolean }>;
let built: readonly BuiltRoute[];
let app: TestApp;
beforeAll(async () => {
  await ensureSite();
  ({ routes: built } = await import(`${dist}server/entry.mjs`));
  app = await testApp();
});
afterAll(() => app?.close());

const inProduction = (deps: Deps) =>
  createApp({ ...deps, config: { ...deps.config, environment: 'production', openApi: false } });

/** What an app answers by routes of its own; `/*` is what refuses the rest, or hands it to the site. */
function routesOf({ routes }: { routes: readonly { method: string; path: string }[] }): string[] {
  return routes
    .map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, '$1')}`)
    .filter((route) => route !== 'ALL /*')
    .sort();
}

/** Astro's writing of a template in ours: `/t/[slug]` → `/t/:slug`. */
const templateOf = (route: string) => route.replace(/\[([a-z]+)\]/g, ':$1');
const filesBelow = (folder: string) =>
  readdirSync(dist + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => `${parentPath}/${name}`.slice(`${dist}${folder}`.length));

describe('the product has the routes of the inventory and no other', () => {
  test('the API in production', () => {
    expect(routesOf(inProduction(app.deps))).toEqual([...operations].sort());
  });

  test('the API while developing', () => {
    expect(routesOf(app.app)).toEqual([...operations, ...developmentOperations].sort());
  });

  test('pages that are rendered for a request', () => {
    const rendered = built.filter(({ origin, prerender }) => origin === 'project' && !prerender);
    expect(rendered.map(({ route }) => templateOf(route)).sort()).toEqual([...renderedPages].sort());
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

  test('answers with the build that it was started on while another takes its place', async () => {
    // In the checkout, where the build finds its packages.
    const folder = new URL('../../node_modules/.cache/', import.meta.url).pathname;
    mkdirSync(folder, { recursive: true });
    const replaced = mkdtempSync(`${folder}replaced-`);
    cpSync(dist, replaced, { recursive: true });
    const started = await createPages({ distDir: replaced, origin: 'https://ute.example' });
    rmSync(replaced, { recursive: true });
    const intact = await createPages({ distDir: dist, origin: 'https://ute.example' });
    const statusOf = async ({ render }: Pages, page: string) => {
      const request = new Request(`https://ute.example${page.replace(/:\w+/, 'x')}`);
      return [page, (await render(request, { clientAddress: '203.0.113.9' })).status];
    };
    for (const page of onDemandPages)
      expect(await statusOf(started, page)).toEqual(await statusOf(intact, page));
    expect(await statusOf(started, '/unsubscribe/x')).toEqual(['/unsubscribe/x', 200]);
  });

  test('brings no library that draws pictures', () => {
    const chunks = filesBelow('server').map((file) => readFileSync(`${dist}server${file}`, 'utf8'));
    expect(chunks.filter((source) => /(\bfrom|\bimport)\s*\(?\s*["']sharp["']/.test(source))).toEqual([]);
    expect(readFileSync(new URL('../../bun.lock', import.meta.url), 'utf8')).not.toContain('"@img/');
  });
});

describe('whatever else is asked for', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const unmeant = ['/_image', '/_image?href=/icon.svg', '/_server-islands/Any', '/_actions/any', '/graphql'];

  test.each(unmeant)('%s is not found, by any method', async (path) => {
    const client = apiClient(
      createApp({
        ...app.deps,
        hasPage: () => false,
        pages: async ({ method }) => new Response(method === 'HEAD' ? null : 'no page', { status: 404 }),
      }),
    );
    for (const method of methods) {
      expect((await client.send(method, path)).status, method).toBe(404);
    }
  });

  test('a path below /api with another method is 405', async () => {
    const paths = new Set(operations.map((operation) => operation.split(' ')[1] ?? ''));
    for (const path of [...paths].filter((path) => path.startsWith('/api/') && !path.includes(':'))) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (isOperation(method, path)) continue;
        expect((await app.send(method, path)).status, `${method} ${path}`).toBe(405);
      }
    }
  });
});

function isOperation(method: string, path: string): boolean {
  return operations.some((operation) => {
    const [of, template = ''] = operation.split(' ');
    return of === method && new RegExp(`^${template.replace(/:[a-z]+/g, '[^/]+')}$`).test(path);
  });
}
