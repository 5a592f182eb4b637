import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { macKeyOf } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import type { JsonObject } from '#core/kernel/canonical-json.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { rewriteStream } from '#tests/support/log/running-log.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { cause, newJobStream, notes } from './samples.ts';

const dataKey = randomBytes(32);
const [kept, removed, changed] = [newJobStream(), newJobStream(), newJobStream()];
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  const store = createEmbeddedEventStore({ ...database, connectionString: database.url, dataKey });
  for (const stream of [kept, removed, changed]) {
    await store.append(stream, 'no-stream', [notes(stream, 1), notes(stream, 2)], cause);
  }
  await store.close();
  await createSubjectKeys({ pool: database.pool, dataKey }).destroy(removed.replace('job-', 'customer-'));
});
afterAll(() => database?.close());

const open = (...words: string[]) =>
  runUte(
    { DATABASE_URL: database.url, DATA_KEY: dataKey.toString('base64') },
    ...['audit', 'verify', '--open', ...words],
  );

const lineOf = (what: string, fits: number, erased: number) =>
  `${what}: the personal fields of ${fits} events are those that were sealed; ${erased} are of people who were removed, 0 of before commitments\n`;

test('audit verify --open says how many events open as they were sealed, and how many of removed people', async () => {
  expect(await open()).toMatchObject({
    out: `log: 6 events checked, every hash fits\n${lineOf('log', 4, 2)}`,
    code: 0,
  });
  expect(await open('--job', kept.slice('job-'.length))).toMatchObject({
    out: `${kept}: 2 events checked, every hash fits\n${lineOf(kept, 2, 0)}`,
    code: 0,
  });
});

test('personal fields that were sealed anew, chain and all, do not open as they were committed to', async () => {
  const sealed: string[] = [];
  const inTurn = (event: { data: JsonObject }) => {
    const personal = Object(event.data['personal']);
    sealed.push(personal.com);
    return { ...event.data, personal: { ...personal, com: sealed[0] === personal.com ? 'x' : sealed[0] } };
  };
  await rewriteStream(database.admin, changed, macKeyOf(dataKey), inTurn);
  const { out, code } = await open();
  expect(out).toBe(
    `log: 6 events checked, every hash fits\n${lineOf('log', 2, 2)}log: 2 DO NOT OPEN as they were sealed, the first at position 5 (${changed}, revision 0): they are not those that were committed to\n`,
  );
  expect(code).toBe(1);
});

test('an event that something else appended has no MAC of this installation', async () => {
  await database.admin.query('update event_store.events set meta = meta || $1 where pos = 2', [
    { mac: 'AAAAAAAAAAAAAAAAAAAAAA' },
  ]);
  const { out, code } = await open('--job', kept.slice('job-'.length));
  expect(out).toContain(
    `${kept}: 1 event was NOT APPENDED BY THIS PRODUCT, the first at position 2 (${kept}, revision 1): its MAC is not of this installation\n`,
  );
  expect(code).toBe(1);
});

test('a key that is lost is not one that was destroyed', async () => {
  await database.admin.query('delete from state.subject_keys where subject = $1', [
    kept.replace('job-', 'customer-'),
  ]);
  const { out, code } = await open('--job', kept.slice('job-'.length));
  expect(out).toContain('revision 0): its key is missing\n');
  expect(code).toBe(1);
});
