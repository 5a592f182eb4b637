import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { turnstileEnv } from '#tests/support/app/fixtures.ts';
import { type ProviderServer, providerServer } from '#tests/support/servers/providers.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
let provider: ProviderServer;
let api: TestApp;
let answer: () => Response | Promise<Response>;
const solved =
  (changes: object = {}) =>
  () =>
    Response.json({
      ...{ success: true, challenge_ts: NOW.toISOString(), hostname: 'localhost', action: 'registration' },
      ...{ 'error-codes': [], cdata: '', metadata: {}, ...changes },
    });

beforeAll(async () => {
  provider = providerServer(() => answer());
  api = await testApp({
    env: turnstileEnv(provider.url),
    now: () => NOW,
  });
});
afterEach(() => {
  answer = solved();
});
afterAll(async () => {
  await api?.close();
  await provider?.stop();
});
answer = solved();

let tokens = 0;
const verify = (payload = `token-${(tokens += 1)}`) =>
  api.post('/api/bot-check/verify', { scope: 'registration', payload });

test('the page learns whose widget to draw, and for which operation', async () => {
  const { body } = await api.get('/api/bot-check/challenge?scope=registration');
  expect(body.challenge).toEqual({ provider: 'turnstile', siteKey: 'site-key', action: 'registration' });
  expect(JSON.stringify(body)).not.toContain('turnstile-secret');
});

test('a solved one opens a registration, once', async () => {
  const first = await verify('one-token');
  expect(first.status).toBe(200);
  expect(provider.requests.at(-1)).toMatchObject({
    ...{ method: 'POST', path: '/turnstile/v0/siteverify' },
    body: { secret: 'turnstile-secret', response: 'one-token' },
  });
  expect((await verify('one-token')).status).toBe(400);
  const ticket = { 'x-bot-check': first.body.ticket };
  expect((await api.post('/api/registration/tradies', {}, ticket)).status).toBe(200);
});

describe('it is refused', () => {
  test.each([
    ['that is wrong', { success: false, 'error-codes': ['invalid-input-response'] }],
    ['that was used', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
    ['for another operation', { action: 'public-form' }],
    ['of another site', { hostname: 'evil.example' }],
    ['of no site', { hostname: null }],
    ['that is too old', { challenge_ts: '2026-11-20T09:54:59Z' }],
    ['without a time', { challenge_ts: null }],
  ])('a token %s', async (_what, changes) => {
    answer = solved(changes);
    expect((await verify()).status).toBe(400);
  });

  test('a text that no token is, without asking', async () => {
    const asked = provider.requests.length;
    expect((await verify('')).status).toBe(400);
    expect((await verify('x'.repeat(2_049))).status).toBe(400);
    expect(provider.requests).toHaveLength(asked);
  });
});

describe('no client gets in while it', () => {
  test.each([
    ['fails', () => new Response('no', { status: 500 })],
    ['answers something else', () => Response.json({ passed: true })],
    ['answers a page', () => new Response('<html>')],
    ['sends elsewhere', () => Response.redirect('http://127.0.0.1:1/')],
  ])('%s', async (_what, given) => {
    answer = given;
    expect((await verify()).status).toBe(503);
  });
});
