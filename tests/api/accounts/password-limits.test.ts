import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { deliver, sentMail } from '#tests/support/app/messages.ts';
import { passTime } from '#tests/support/scenarios/registrations.ts';

const MINUTE = 60_000;

let api: TestApp;
let dave: SignedIn;

beforeAll(async () => {
  api = await testApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
  dave = await api.signIn();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => api?.close());

const forgot = (email: string, from: string) =>
  api.post('/api/authenticate/forgot-password', { email }, { 'x-forwarded-for': from });
const reset = (from: string) => {
  const password = { newPassword: 'Kumara-harvest-7', confirmPassword: 'Kumara-harvest-7' };
  const body = { token: 'x'.repeat(43), ...password };
  return api.post('/api/authenticate/reset-password', body, { 'x-forwarded-for': from });
};

const check = (from: string) =>
  api.post('/api/authenticate/reset-password/check', { token: 'x'.repeat(43) }, { 'x-forwarded-for': from });

test('ten requests from anywhere are three mails, and one answer', async () => {
  const answers = [];
  for (let network = 0; network < 10; network += 1) {
    answers.push(await forgot(dave.email, `198.51.100.${network}`));
    await deliver(api);
  }
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect((await sentMail(api, dave.email)).length).toBe(3);

  passTime(60 * MINUTE + 1_000);
  expect((await forgot(dave.email, '198.51.100.99')).status).toBe(200);
  expect((await sentMail(api, dave.email)).length).toBe(4);
});

test.each([
  ['ten links an hour', 10, (from: string) => forgot(`of-${crypto.randomUUID()}@acme.example`, from)],
  ['twenty secrets an hour', 20, reset],
  ['twenty looks at a secret an hour', 20, check],
] as const)('one address gets %s, whatever it says before our proxy', async (_name, most, ask) => {
  const address = `203.0.113.${most}`;
  const statuses: number[] = [];
  for (let index = 0; index < most; index += 1) {
    statuses.push((await ask(`10.0.0.${index}, ${address}`)).status);
  }
  expect(statuses).not.toContain(429);
  const refused = await ask(`10.9.9.9, ${address}`);
  expect(refused.status).toBe(429);
  const wait = Number(refused.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(59 * 60);
  expect(wait).toBeLessThanOrEqual(60 * 60);
  expect(refused.body.message).toBe('Too many attempts. Please try again in 60 minutes.');
  expect((await ask('203.0.113.250')).status).not.toBe(429);
  passTime(60 * MINUTE + 1_000);
  expect((await ask(address)).status).not.toBe(429);
});

test('an IPv6 client has one count for all of its addresses', async () => {
  for (let index = 0; index < 10; index += 1) {
    await forgot(`of-${crypto.randomUUID()}@acme.example`, `2001:db8:1:2::${index}`);
  }
  expect((await forgot('a@acme.example', '2001:db8:1:2:ffff::1')).status).toBe(429);
  expect((await forgot('a@acme.example', '2001:db8:1:3::1')).status).toBe(200);
});

test('the counters hold no email', async () => {
  const { rows } = await api.deps.db.query(`select key from state.rate_limits where key like 'forgot:%'`);
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(key).toMatch(/^forgot:[A-Za-z0-9_-]{43}$/);
});
