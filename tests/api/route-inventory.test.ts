import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import type { Deps } from '#api/deps.ts';
import { type TestApp, testApp } from '#tests/support/api.ts';
import { apiClient } from '#tests/support/api-client.ts';
import { developmentOperations, operations } from '#tests/support/route-inventory.ts';

let app: TestApp;
beforeAll(async () => {
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

describe('the routes that exist', () => {
  test('in production are those of the inventory', () => {
    expect(routesOf(inProduction(app.deps))).toEqual([...operations].sort());
  });

  test('while developing are a few more', () => {
    expect(routesOf(app.app)).toEqual([...operations, ...developmentOperations].sort());
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
