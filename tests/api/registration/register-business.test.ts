import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedBusiness } from '#api/seed/seed-business.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { ConflictError, InvalidInputError } from '#core/kernel/errors.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { aBusiness } from '#tests/support/app/fixtures.ts';

let api: TestApp;
let appendsLeft = Number.POSITIVE_INFINITY;

/** A store that dies after so many appends. */
const mortal = (store: EventStore): EventStore => ({
  ...store,
  append: (...args) => {
    appendsLeft -= 1;
    return appendsLeft < 0 ? Promise.reject(new Error('killed')) : store.append(...args);
  },
});

let ahead = 0;
beforeAll(async () => {
  api = await testApp({ store: mortal, now: () => new Date(Date.now() + ahead) });
});
afterAll(() => api?.close());

const cause = (commandId: string = Bun.randomUUIDv7()) => ({ commandId, actor: 'seed', correlation: 'test' });
const outcomes = (all: PromiseSettledResult<unknown>[]) => ({
  won: all.filter(({ status }) => status === 'fulfilled').length,
  refused: all.filter((one) => one.status === 'rejected' && one.reason instanceof ConflictError).length,
});

describe.each(['email', 'phone', 'slug'] as const)('of 50 registrations of one %s at once', (field) => {
  test('exactly one wins', async () => {
    const shared = { [field]: aBusiness()[field] };
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, () => seedBusiness(api.deps, aBusiness(shared), cause())),
    );
    expect(outcomes(all)).toEqual({ won: 1, refused: 49 });
  }, 60_000);
});

test('the same registration again is the same business, and appends nothing', async () => {
  const business = aBusiness();
  const once = cause();
  const first = await seedBusiness(api.deps, business, once);
  const head = await api.deps.store.head();
  expect(await seedBusiness(api.deps, business, once)).toEqual(first);
  expect(await api.deps.store.head()).toBe(head);
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  'killed after %i appends, it is finished by the same command',
  async (survived) => {
    const business = aBusiness();
    const once = cause();
    appendsLeft = survived;
    await expect(seedBusiness(api.deps, business, once)).rejects.toThrow('killed');
    appendsLeft = Number.POSITIVE_INFINITY;
    const login = () =>
      api.post('/api/authenticate/login', { email: business.email, password: business.password });
    // The business is set up, and its email confirmed, by the two appends after the account is open.
    expect((await login()).status).toBe(survived < 6 ? 401 : 200);
    const { accountId, businessId } = await seedBusiness(api.deps, business, once);
    await api.settle();
    expect((await login()).status).toBe(200);
    const types = (await api.deps.store.readAll('0', 10_000))
      .filter(({ stream }) => stream.endsWith(accountId) || stream.endsWith(businessId))
      .map(({ type }) => type);
    expect(types.sort()).toEqual([
      'AccountEmailConfirmed',
      'AccountOpened',
      'BusinessIntroduced',
      'BusinessRegistered',
      'EmailConfirmationAwaited',
      'EnquiryFormOpened',
      'PublicAddressChanged',
    ]);
  },
);

test('what a crashed registration held is free for others after 15 minutes', async () => {
  const business = aBusiness();
  // The start and the milestones; what follows is reserved before the completion is appended.
  appendsLeft = 2;
  await expect(seedBusiness(api.deps, business, cause())).rejects.toThrow('killed');
  appendsLeft = Number.POSITIVE_INFINITY;
  await expect(seedBusiness(api.deps, business, cause())).rejects.toThrow(ConflictError);
  ahead = 16 * 60_000;
  const { accountId } = await seedBusiness(api.deps, business, cause());
  ahead = 0;
  expect(accountId).toMatch(/^[0-9a-f-]{36}$/);
});

test('a registration that is refused holds nothing', async () => {
  const taken = aBusiness();
  await seedBusiness(api.deps, taken, cause());
  const business = aBusiness({ slug: taken.slug });
  await expect(seedBusiness(api.deps, business, cause())).rejects.toThrow('This domain is already taken.');
  await seedBusiness(api.deps, { ...business, slug: aBusiness().slug }, cause());
});

test.each([
  ['email', { email: 'dave' }],
  ['phone', { phone: '+61398765432' }],
  ['slug', { slug: 'admin' }],
  ['password', { password: 'short' }],
])('a bad %s is refused by its name, before anything is held', async (field, bad) => {
  const head = await api.deps.store.head();
  const refusal = await seedBusiness(api.deps, aBusiness(bad), cause()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(InvalidInputError);
  expect(Object.keys((refusal as InvalidInputError).fields)).toEqual([field]);
  expect(await api.deps.store.head()).toBe(head);
});

test('no email, mobile, slug or password is stored in the tables of reservations and credentials', async () => {
  const business = aBusiness();
  await seedBusiness(api.deps, business, cause());
  const { rows } = await api.deps.db.query(
    'select row_to_json(c)::text as row from state.reservations c union all select row_to_json(d)::text from state.credentials d',
  );
  const text = rows.map(({ row }) => row).join();
  for (const secret of [business.email, business.phone, business.slug, business.password]) {
    expect(text).not.toContain(secret);
  }
});
