import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageRenderer } from '#api/deps.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';

const pages: PageRenderer = async () => new Response('the page');
let app: TestApp;
beforeAll(async () => {
  app = await testApp({
    pages,
    rendersPage: (path) => path.startsWith('/answer/'),
    env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' },
  });
});
afterAll(() => app?.close());

async function visits(path: string, count: number, client: string): Promise<number[]> {
  const statuses = [];
  for (let n = 0; n < count; n += 1)
    statuses.push((await app.get(path, { 'x-forwarded-for': client })).status);
  return statuses;
}

test('pages that are rendered count among the requests of a client, in whichever of its /64 it comes', async () => {
  const statuses = await visits('/answer/x', 1_200, '2001:db8:7::1');
  expect(new Set(statuses)).toEqual(new Set([200]));
  const refused = await app.get('/answer/x', { 'x-forwarded-for': '[2001:db8:7::2]:443' });
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
  const wait = Number(refused.headers.get('retry-after'));
  expect([wait > 0, wait <= 60]).toEqual([true, true]);
  const words = wait === 60 ? '1 minute' : `${wait} second${wait === 1 ? '' : 's'}`;
  expect(refused.text).toContain(`<p>Too many attempts. Please try again in ${words}.</p>`);
  expect(refused.text).toContain('<a href="">Try again</a>');
  expect(await visits('/api/map-tiles', 1, '2001:db8:7::3')).toEqual([429]);
  expect(await visits('/answer/x', 1, '2001:db8:8::1')).toEqual([200]);
});

test('pages in memory do not', async () => {
  expect(new Set(await visits('/login', 1_201, '203.0.113.5'))).toEqual(new Set([200]));
  expect(await visits('/answer/x', 1, '203.0.113.5')).toEqual([200]);
});

test('addresses that are found count with the suggestions, 600 in ten minutes of a business', async () => {
  const owner = await app.signIn();
  const client = { 'x-forwarded-for': '203.0.113.6' };
  for (let n = 0; n < 300; n += 1) {
    await owner.get('/api/addresses?q=x', client);
    await owner.get('/api/addresses/none', client);
  }
  const refused = [
    await owner.get('/api/addresses/none', client),
    await owner.get('/api/addresses?q=x', client),
  ];
  expect(refused.map(({ status }) => status)).toEqual([429, 429]);
});
