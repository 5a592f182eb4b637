import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
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

const login = (email: string, password: string, from: string) =>
  api.post('/api/authenticate/login', { email, password }, { 'x-forwarded-for': from });

async function fail(times: number, email: string, from: string) {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) statuses.push((await login(email, 'wrong', from)).status);
  return statuses;
}

test('after five failures the sixth try waits, with the right password too, and each round waits longer', async () => {
  const from = '203.0.113.7';
  expect(await fail(5, dave.email, from)).toEqual([401, 401, 401, 401, 401]);
  const sixth = await login(dave.email, dave.password, from);
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get('retry-after'))).toBe(15 * 60);
  expect(sixth.body.message).toBe('Too many attempts. Please try again in 15 minutes.');

  passTime(15 * MINUTE + 1_000);
  expect(await fail(5, dave.email, from)).toEqual([401, 401, 401, 401, 401]);
  const again = await login(dave.email, dave.password, from);
  expect(Number(again.headers.get('retry-after'))).toBe(30 * 60);

  const during = await login(dave.email, dave.password, from);
  expect(Number(during.headers.get('retry-after'))).toBeLessThanOrEqual(30 * 60);
  passTime(30 * MINUTE + 1_000);
  expect((await login(dave.email, dave.password, from)).status).toBe(200);
});

test('while one network guesses, the owner gets in from another', async () => {
  const owner = await api.signIn();
  await fail(6, owner.email, '198.51.100.20');
  expect((await login(owner.email, owner.password, '198.51.100.99')).status).toBe(429);
  expect((await login(owner.email, owner.password, '192.0.2.55')).status).toBe(200);
});

test('the right password forgets the failures before it', async () => {
  const owner = await api.signIn();
  const from = '192.0.2.80';
  await fail(4, owner.email, from);
  expect((await login(owner.email, owner.password, from)).status).toBe(200);
  expect(await fail(5, owner.email, from)).toEqual([401, 401, 401, 401, 401]);
});

test('an unknown email meets the same limit', async () => {
  expect(await fail(6, 'nobody@acme.example', '192.0.2.90')).toEqual([401, 401, 401, 401, 401, 429]);
});

test('tries at once cannot slip past the count', async () => {
  const owner = await api.signIn();
  const all = await Promise.all(Array.from({ length: 20 }, () => login(owner.email, 'wrong', '192.0.2.100')));
  expect(all.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(all.filter(({ status }) => status === 429)).toHaveLength(15);
});

test('one address gets a hundred tries an hour, whatever it says before our proxy', async () => {
  const address = '192.0.2.201';
  await api.deps.db.query(`insert into state.rate_limits (key, points, expire) values ($1, 97, $2)`, [
    `login-address:${address}`,
    Date.now() + 60 * MINUTE,
  ]);
  const statuses: number[] = [];
  for (const spoofed of ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4']) {
    const { status } = await login(`of-${spoofed}@acme.example`, 'wrong', `${spoofed}, ${address}`);
    statuses.push(status);
  }
  expect(statuses).toEqual([401, 401, 401, 429]);
});

test('the counters hold no email and no address of a person', async () => {
  const { rows } = await api.deps.db.query(`select key from state.rate_limits where key like 'login:%'`);
  expect(rows.length).toBeGreaterThan(0);
  for (const { key } of rows) expect(key).toMatch(/^login:[A-Za-z0-9_-]{43}$/);
});
