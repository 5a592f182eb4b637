import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { followerOf } from '#api/background/process.ts';
import { pendingHash, storePendingCredential } from '#api/registration/drafts.ts';
import { finishRegistration } from '#api/registration/finish-registration.ts';
import { idsOf, readRegistration } from '#api/registration/load-registration.ts';
import { finishRegistrations } from '#api/registration/process.ts';
import { accountDecider } from '#core/account/decider.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { startProjections } from '#projections/worker.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient } from '#tests/support/app/api-client.ts';
import { storedDraft } from '#tests/support/scenarios/registrations.ts';
import { failingCalls, failures, sweepCalls } from '#tests/support/servers/outages.ts';

const calls = failingCalls();
let api: TestApp;
let ahead = 0;
beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead) });
});
afterEach(() => {
  ahead = 0;
});
afterAll(() => api?.close());

const OPENED = [
  'AccountOpened',
  'BusinessRegistered',
  'EnquiryFormOpened',
  'PublicAddressChanged',
  'RegistrationCompleted',
];

async function openedFor(registrationId: string): Promise<string[]> {
  const { accountId, businessId } = idsOf(registrationId);
  const streams = [`account-${accountId}`, `business-${businessId}`, `enquiryForm-${businessId}`] as const;
  const all = [...streams, `registration-${registrationId}` as const];
  const events = await Promise.all(all.map((stream) => api.deps.store.readStream(stream)));
  const types = events.flat().map(({ type }) => type);
  return types.filter((type) => OPENED.includes(type)).toSorted();
}

const login = (email: string) => api.post('/api/authenticate/login', { email, password: 'Spanner#Wrench42' });

test.each(failures)(
  'a completion, each call %s in turn, has opened nothing or all of it, and sent again has opened it once',
  async (failure) => {
    const failing = createApp(calls.wrap(api.deps));
    const swept = await sweepCalls(async (n) => {
      const { client, who, registrationId } = await storedDraft(api);
      const rid = { 'x-rid': client.rid, 'idempotency-key': crypto.randomUUID() };
      calls.failAt(n, failure);
      const first = await apiClient(failing, rid).post('/api/registration');
      const isMet = calls.disarm();
      expect([200, 503]).toContain(first.status);
      const again = await apiClient(failing, rid).post('/api/registration');
      expect(again.status).toBe(200);
      expect(again.body.user.email).toBe(who.email);
      expect(await openedFor(registrationId)).toEqual(OPENED);
      return isMet;
    });
    expect(swept).toBeGreaterThan(20);
  },
  240_000,
);

/** A worker that has no other work than to finish registrations, over `pool`. */
function follow(pool = api.everyRow) {
  const { deps, databaseUrl: connectionString } = api;
  const process = followerOf(finishRegistrations, { ...deps, db: pool });
  return startProjections({
    ...{ store: deps.store, pool, connectionString, retryLeadMs: 20 },
    ...{ projections: [], processes: [process] },
  });
}

/** Completes with a log that dies after so many appends. */
async function completeUntil(appends: number) {
  const draft = await storedDraft(api);
  let left = appends;
  const { store } = api.deps;
  const dying = createApp({
    ...api.deps,
    store: {
      ...store,
      append: (...args) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('killed')) : store.append(...args);
      },
    },
  });
  const answer = await apiClient(dying, { 'x-rid': draft.client.rid }).post('/api/registration');
  expect(answer.status).toBe(500);
  return draft;
}

test.each([1, 2, 3])(
  'killed after %i of its appends, a registration is finished by the worker alone',
  async (survived) => {
    const { who, registrationId } = await completeUntil(survived);
    expect((await login(who.email)).status).toBe(401);
    // Late enough for what it held to have run out, were no process to come back to it.
    ahead = 20 * 60_000;
    const following = follow();
    try {
      await expect.poll(() => openedFor(registrationId), { timeout: 20_000 }).toEqual(OPENED);
      await expect.poll(async () => (await login(who.email)).status, { timeout: 20_000 }).toBe(200);
    } finally {
      await following.stop();
    }
  },
);

test('what a release left that opened a stream command by command is finished, and nothing of it repeated', async () => {
  const { who, registrationId } = await completeUntil(1);
  const { accountId, businessId, commandId, actor } = idsOf(registrationId);
  const completed = (await readRegistration(api.deps, registrationId))?.completed;
  if (!completed) throw new Error('the registration is not completed');
  const { email, phone, firstName, lastName, completedAt: at } = completed;
  const { region, plan, bn, name, tradingName, tagline, timeZone, coverage } = completed;
  const causeOf = (type: string) => ({ commandId: uuidV5(commandId, type), actor, correlation: 'test' });
  const { store } = api.deps;
  const account = { accountId, businessId, email, phone, firstName, lastName };
  const opening = { type: 'OpenAccount', at, data: account } as const;
  const accountStream = streamName('account', accountId);
  await handleCommand(store, accountDecider, accountStream, opening, causeOf(opening.type));
  const shown = { region, plan, bn, name, tradingName, tagline, timeZone, coverage };
  const registering = { type: 'RegisterBusiness', at, data: { accountId, businessId, ...shown } } as const;
  const businessStream = streamName('business', businessId);
  await handleCommand(store, businessDecider, businessStream, registering, causeOf(registering.type));

  const following = follow();
  try {
    await expect.poll(() => openedFor(registrationId), { timeout: 20_000 }).toEqual(OPENED);
    const types = (await store.readStream(accountStream)).map(({ type }) => type);
    expect(types).toEqual(['AccountOpened', 'EmailConfirmationAwaited']);
    await expect.poll(async () => (await login(who.email)).status, { timeout: 20_000 }).toBe(200);
  } finally {
    await following.stop();
  }
});

test('killed before its first event, it holds what it held for 15 minutes, then others may have it', async () => {
  const { who, registrationId } = await completeUntil(0);
  const { email } = who;
  const rival = await storedDraft(api, { email });
  expect((await rival.client.post('/api/registration')).status).toBe(409);
  ahead = 16 * 60_000;
  expect((await rival.client.post('/api/registration')).status).toBe(200);
  expect(await openedFor(registrationId)).toEqual([]);
});

test('what is finished is left alone, also when the account has moved on since', async () => {
  const { client, who, registrationId } = await storedDraft(api);
  expect((await client.post('/api/registration')).status).toBe(200);
  const { accountId } = idsOf(registrationId);
  // As a change of email leaves it: the old one is free, and another account has it.
  await api.deps.db.query(`delete from state.reservations where owner = $1 and kind = 'email'`, [accountId]);
  const next = await storedDraft(api, { email: who.email });
  expect((await next.client.post('/api/registration')).status).toBe(200);
  const head = await api.deps.store.head();
  const registration = await readRegistration(api.deps, registrationId);
  if (!registration?.completed) throw new Error('it was not completed');
  await finishRegistration(api.deps, registration.completed, { correlation: 'again' });
  expect(await api.deps.store.head()).toBe(head);
  const { rows } = await api.deps.db.query(
    `select 1 from state.reservations where owner = $1 and kind = 'email'`,
    [accountId],
  );
  expect(rows).toEqual([]);
});

test('what its owner changed since is left alone, where a process ended before it dropped the password', async () => {
  const { client, who, registrationId } = await storedDraft(api);
  const pending = await pendingHash(api.deps.db, registrationId);
  const { token } = (await client.post('/api/registration')).body;
  const owner = api.as({ authorization: `Bearer ${token}` });
  const slug = `moved-${crypto.randomUUID().slice(0, 8)}`;
  expect((await owner.put('/api/settings/branding', { slug, theme: '#C21313' })).status).toBe(200);
  expect((await owner.put('/api/settings/notifications', { newsletter: false })).status).toBe(200);
  const head = await api.deps.store.head();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await storePendingCredential(
    api.deps.db,
    registrationId,
    { hash: pending as string, expiresAt },
    new Date(),
  );
  const registration = await readRegistration(api.deps, registrationId);
  if (!registration?.completed) throw new Error('it was not completed');
  await finishRegistration(api.deps, registration.completed, { correlation: 'again' });
  expect(await api.deps.store.head()).toBe(head);
  expect(await pendingHash(api.deps.db, registrationId)).toBeNull();
  expect((await login(who.email)).status).toBe(200);
});

/** Refuses what saves a position while `isRefused` says so. */
function refusingSaves(db: Pool, isRefused: () => boolean): Pool {
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== 'query' || typeof value !== 'function') return value;
      return (text: unknown, ...rest: unknown[]) =>
        (text as { name?: string }).name === 'pass-checkpoints' && isRefused()
          ? Promise.reject(new Error('refused'))
          : value.call(target, text, ...rest);
    },
  });
}

test('how far it has come is saved also when the last events are none of its own, after an outage too', async () => {
  const { store, db } = api.deps;
  let refused = 0;
  let isRefusing = false;
  const refuses = () => {
    if (isRefusing) refused += 1;
    return isRefusing;
  };
  const following = follow(refusingSaves(api.everyRow, refuses));
  const saved = async () =>
    (await db.query('select position from state.process_positions')).rows[0]?.position;
  try {
    const stream = newJobStream();
    await store.append(stream, 'no-stream', [notes(stream, 0)], cause);
    await expect.poll(saved, { timeout: 20_000 }).toBe(await store.head());
    isRefusing = true;
    // Directly after the one that was just saved, and nothing comes behind it.
    await store.append(stream, 0, [notes(stream, 1)], cause);
    await expect.poll(() => refused, { timeout: 20_000 }).toBeGreaterThan(0);
    isRefusing = false;
    await expect.poll(saved, { timeout: 20_000 }).toBe(await store.head());
  } finally {
    await following.stop();
  }
});
