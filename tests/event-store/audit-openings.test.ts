import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainHash, type Unhashed } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { type TestDatabase, testDatabase } from '#tests/support/database.ts';
import { runUte } from '#tests/support/processes.ts';
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
  const { rows } = await database.admin.query<{
    pos: string;
    event: Unhashed & { metadata: { hash: string } };
  }>(
    `select pos, json_build_object('stream', stream, 'revision', revision, 'id', id, 'type', type, 'schema', schema,
       'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', data, 'metadata', meta) as event
     from event_store.events where stream = $1 order by pos`,
    [changed],
  );
  const commitments = rows.map(({ event }) => Object(event.data['personal']).com);
  let previous: string | null = null;
  await database.admin.query("set session_replication_role = 'replica'");
  for (const [n, { pos, event }] of rows.entries()) {
    const { hash: _, ...metadata } = event.metadata;
    const personal = { ...Object(event.data['personal']), com: commitments[1 - n] };
    const data = { ...event.data, personal };
    previous = chainHash(previous, { ...event, data, metadata });
    await database.admin.query('update event_store.events set data = $2, meta = $3 where pos = $1', [
      ...[pos, data, { ...metadata, hash: previous }],
    ]);
  }
  const { out, code } = await open();
  expect(out).toBe(
    `log: 6 events checked, every hash fits\n${lineOf('log', 2, 2)}log: 2 DO NOT OPEN as they were sealed, the first at position 5 (${changed}, revision 0): they are not those that were committed to\n`,
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
