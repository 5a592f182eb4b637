import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetDrafts } from '#api/registration/drafts.ts';
import { auditLog } from '#core/event-store/chain.ts';
import { openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import recorded from '#tests/event-store/golden-logs/registrations-saved-in-the-log.json' with {
  type: 'json',
};
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { choosePassword, codeSentTo, type Registrant } from '#tests/support/scenarios/registrations.ts';

// Two registrations as the release of 22 November 2026 (commit a681311) left them: their drafts are saved in the log. The
// one is half typed and has a verified email, the other waits to be completed. The key is of invented people.
const DATA_KEY = createHash('sha256').update('golden log').digest('hex');
const TRADIES = '/api/registration/tradies';
const { left, done } = recorded;
/** The mobile of those who were not asked is not on the public page. */
const asNow = (draft: typeof left.registration | typeof done.registration) => ({
  ...draft,
  verify: { ...draft.verify, showPhone: false },
});
const idOf = (rid: string) => createHash('sha256').update(rid).digest('hex');

let api: TestApp;
let ahead = 0;
beforeAll(async () => {
  api = await testApp({ env: { DATA_KEY }, now: () => new Date(Date.now() + ahead) });
  await restore();
});
afterAll(() => api?.close());

const as = (rid: string) => api.as({ 'x-rid': rid });

async function restore(): Promise<void> {
  const db = api.everyRow;
  await db.query(
    `insert into state.subject_keys (subject, wrapped_key)
     select key, decode(value, 'base64') from jsonb_each_text($1::jsonb)`,
    [JSON.stringify(recorded.keys)],
  );
  await db.query(
    `insert into event_store.events (pos, stream, revision, id, type, schema, at, data, meta)
     select pos, stream, revision, id, type, schema, at, data, meta
     from jsonb_to_recordset($1::jsonb) as e(pos bigint, stream text, revision integer, id uuid, type text,
       schema integer, at timestamptz, data jsonb, meta jsonb)`,
    [JSON.stringify(recorded.events)],
  );
  await db.query(
    `insert into state.registrations (registration_id, source_hash, codes_sent, expires_at)
     select registration_id, source_hash, codes_sent, now() + interval '6 days'
     from jsonb_to_recordset($1::jsonb) as r(registration_id text, source_hash text, codes_sent smallint)`,
    [JSON.stringify(recorded.registrations)],
  );
  await db.query(
    `insert into state.pending_credentials (registration_id, hash, expires_at)
     select registration_id, hash, now() + interval '6 days'
     from jsonb_to_recordset($1::jsonb) as p(registration_id text, hash text)`,
    [JSON.stringify(recorded.pending)],
  );
}

async function newEvents(rid: string): Promise<string[]> {
  const events = await api.deps.store.readStream(`registration-${idOf(rid)}`);
  return events
    .slice(recorded.events.filter(({ stream }) => stream.endsWith(idOf(rid))).length)
    .map(({ type }) => type);
}

test.each([
  ['half typed', left],
  ['ready to be completed', done],
])('a draft that is %s reads as it did', async (_what, { rid, registration }) => {
  const { status, body } = await as(rid).get(TRADIES);
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'ok', registration: asNow(registration), rid });
});

test('a draft that waits to be completed is completed by its last event', async () => {
  expect((await as(done.rid).post('/api/registration')).status).toBe(200);
  expect(await newEvents(done.rid)).toEqual(['RegistrationCompleted']);
  const { email, password } = done.who;
  expect((await api.post('/api/authenticate/login', { email, password })).status).toBe(200);
});

test('a half-typed draft goes on, what was verified stays verified, and it is completed', async () => {
  const client = as(left.rid);
  const { who } = left;
  const again = await client.put(TRADIES, { step: 2 });
  expect(again.body.registration).toEqual(asNow(left.registration));
  expect(await newEvents(left.rid)).toEqual([]);

  const named = { entity: { tradingName: 'Half a Name Plumbing' }, user: { lastName: 'Fenwickton' } };
  expect((await client.put(TRADIES, { step: 3, ...named })).status).toBe(200);
  expect((await client.put(TRADIES, { step: 4 })).status).toBe(200);
  expect((await client.get(TRADIES)).body.registration.verify.emailVerified).toBe(true);
  expect((await client.post('/api/registration/sms/send')).status).toBe(200);
  const code = await codeSentTo(api, who.phone);
  expect((await client.post('/api/registration/sms/verify', { code })).status).toBe(200);
  expect((await client.put(TRADIES, { step: 5 })).status).toBe(200);
  expect((await choosePassword(client, who as Registrant)).status).toBe(200);
  expect((await client.post('/api/registration')).status).toBe(200);
  expect(await newEvents(left.rid)).toEqual([
    'RegistrationBusinessIdentified',
    'RegistrationPhoneVerified',
    'RegistrationPasswordChosen',
    'RegistrationTermsAccepted',
    'RegistrationCompleted',
  ]);
  const { email, password } = who;
  expect((await api.post('/api/authenticate/login', { email, password })).status).toBe(200);
});

test('the log of both fits its hashes, and is forgotten when its days are over', async () => {
  const raw = openEmbeddedLog({ pool: api.everyRow, connectionString: api.databaseUrl });
  const audit = async () => {
    const signal = new AbortController().signal;
    return (await auditLog(raw, { gapless: false, signal, onProgress() {} })).broken;
  };
  expect(await audit()).toBeNull();
  ahead = 7 * 86_400_000;
  await forgetDrafts(api.deps);
  const { rows } = await api.everyRow.query(
    `select count(*)::int as n from state.subject_keys where subject like 'registration-%' and wrapped_key is not null`,
  );
  expect(rows).toEqual([{ n: 0 }]);
  expect(await audit()).toBeNull();
  await raw.close();
});
