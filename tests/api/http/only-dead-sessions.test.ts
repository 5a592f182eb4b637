import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeFiles, isTest } from '#tests/architecture/source-files.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Client } from '#tests/support/app/api-client.ts';

const UNKNOWN = '0198c0de-0000-7000-8000-000000000000';
/** What a path's parameters are tried with, and what a body is: none of it is what the route wants. */
const values = ['x', "'--"];
const bodies = [
  undefined,
  {},
  [],
  null,
  { email: 7 },
  { token: 'x', newPassword: 'x', confirmPassword: 'y' },
];
const headers = [{ 'x-rid': 'x'.repeat(43) }, { 'x-bot-check': 'x' }, { 'idempotency-key': 'x' }];

let api: TestApp;
let dave: SignedIn;
beforeAll(async () => {
  api = await testApp();
  dave = await api.signIn();
});
afterAll(() => api?.close());

type Route = Readonly<{ method: string; path: string }>;

/** Every route but those that end the session which is used here, never end, or wait for a sender of messages. */
function routes(): Route[] {
  const apart = [
    ...['POST /api/authenticate/logout', 'GET /api/live', 'POST /api/settings/notifications/test'],
  ];
  return api.app.routes
    .filter(({ method, path }) => method !== 'ALL' && !apart.includes(`${method} ${path}`))
    .map(({ method, path }) => ({ method, path }));
}

/** One request per value, body and header, each odd in one way. */
async function tryAll(
  client: Client,
  { method, path }: Route,
): Promise<[what: string, status: number, text: string][]> {
  const seen: [string, number, string][] = [];
  const send = async (value: string, body: unknown, extra: Record<string, string>) => {
    const url = path.replace(/:[a-zA-Z]+|\*/g, value);
    const json = body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) };
    const answer = await client.send(method, url, {
      ...json,
      headers: { 'content-type': 'application/json', ...extra },
    });
    seen.push([`${method} ${url} ${JSON.stringify(body)}`, answer.status, answer.text]);
  };
  for (const value of values) await send(value, bodies[1], {});
  for (const body of bodies) await send(UNKNOWN, body, {});
  for (const extra of headers) await send(UNKNOWN, {}, extra as Record<string, string>);
  return seen;
}

describe('403 means a dead session and nothing else', () => {
  test('there are routes to try', () => {
    expect(routes().length).toBeGreaterThan(30);
  });

  test('a signed-in client never gets one, whatever it sends', async () => {
    for (const route of routes()) {
      for (const [what, status] of await tryAll(dave, route)) {
        expect(status, what).not.toBe(403);
        expect(status, what).toBeLessThan(500);
      }
    }
    expect((await dave.get('/api/authenticate')).status).toBe(200);
  });

  test('a client that is not signed in gets it from every route that needs a session, in one sentence, and from no other', async () => {
    const stranger = api.as({ authorization: 'Bearer of-a-session-that-never-was-one' });
    for (const route of routes()) {
      const said = await tryAll(stranger, route);
      const refused = said.filter(([, status]) => status === 403);
      expect([0, said.length], `${route.method} ${route.path}`).toContain(refused.length);
      for (const [what, , text] of refused) {
        expect(JSON.parse(text), what).toMatchObject({ status: 'error', message: 'Session timed out' });
      }
    }
  });

  test('only one place in the code says 403', () => {
    const product = codeFiles.filter((file) => /^(api|core|projections)\//.test(file) && !isTest(file));
    const saying = product.filter((file) =>
      /(?<![\d.])403(?!\d)/.test(readFileSync(file, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')),
    );
    expect(saying).toEqual(['api/http/error-codes.ts']);
  });
});
