import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetDrafts } from '#api/registration/drafts.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { storedDraft } from '#tests/support/scenarios/registrations.ts';

const DAY = 86_400_000;
let api: TestApp;
let ahead = 0;
beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead) });
});
afterAll(() => api?.close());

/** What a process that was not there before can still read of a stream. */
async function readAnew(stream: `registration-${string}` | `account-${string}`): Promise<string> {
  const { db, config } = api.deps;
  const options = { pool: db, connectionString: api.databaseUrl, dataKey: config.keys.data };
  const store = createEmbeddedEventStore(options);
  try {
    return JSON.stringify((await store.readStream(stream)).map(({ event }) => event));
  } finally {
    await store.close();
  }
}

test('after seven days a draft opens nothing, and what it held of a person is gone for good', async () => {
  const left = await storedDraft(api);
  const done = await storedDraft(api);
  const answer = await done.client.post('/api/registration');
  expect(answer.status).toBe(200);

  ahead = 7 * DAY - 60_000;
  await forgetDrafts(api.deps);
  expect((await left.client.get('/api/registration/tradies')).status).toBe(200);
  expect(await readAnew(`registration-${left.registrationId}`)).toContain(left.who.email);

  ahead = 7 * DAY + 60_000;
  expect((await left.client.get('/api/registration/tradies')).status).toBe(404);
  expect((await left.client.post('/api/registration')).status).toBe(404);
  await forgetDrafts(api.deps);
  const read = await readAnew(`registration-${left.registrationId}`);
  expect(read).not.toContain(left.who.email);
  expect(read).not.toContain(left.who.phone);
  expect(read).toContain('[erased]');

  const { rows } = await api.deps.db.query('select 1 from state.registrations');
  expect(rows).toEqual([]);
  expect(await readAnew(`registration-${done.registrationId}`)).toContain(done.who.email);
  const { email } = done.who;
  expect((await api.post('/api/authenticate/login', { email, password: done.who.password })).status).toBe(
    200,
  );
});
