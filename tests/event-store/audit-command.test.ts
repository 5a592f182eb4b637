import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { type TestDatabase, testDatabase } from '#tests/support/database.ts';
import { runUte } from '#tests/support/processes.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';
import { cause, newJobStream, notes } from './samples.ts';

const dataKey = randomBytes(32);
const stream = newJobStream();
const job = stream.slice('job-'.length);
let database: TestDatabase;
let folder: ReturnType<typeof tempFolder>;

beforeAll(async () => {
  folder = tempFolder('audit');
  database = await testDatabase();
  const store = createEmbeddedEventStore({ ...database, connectionString: database.url, dataKey });
  const events = Array.from({ length: 20 }, (_, n) => notes(stream, n));
  await store.append(stream, 'no-stream', events, cause);
  await store.close();
});
afterAll(async () => {
  await database?.close();
  folder?.remove();
});

const ute = (...words: string[]) =>
  runUte(
    { DATABASE_URL: database.url, DATA_DIR: folder.path, DATA_KEY: dataKey.toString('base64') },
    ...words,
  );

test('audit verify says how many events fit, with its progress apart from what scripts read', async () => {
  expect(await ute('audit', 'verify')).toEqual({
    out: 'log: 20 events checked, every hash fits\n',
    err: expect.stringMatching(/^log: 2 of 20\n.*log: 20 of 20\n$/s),
    code: 0,
  });
  expect(await ute('audit', 'verify', '--job', job)).toEqual({
    out: `${stream}: 20 events checked, every hash fits\n`,
    err: '',
    code: 0,
  });
});

test('one byte changed in the log is named by its position, and the exit code is 1', async () => {
  await database.admin.query(`
    begin;
    set local session_replication_role = 'replica';
    update event_store.events set data = jsonb_set(data, '{businessId}', '"b2"') where pos = 14;
    commit`);
  const line = `BROKEN at position 14 (${stream}, revision 13): the hash does not fit; 13 events before it fit\n`;
  expect(await ute('audit', 'verify')).toMatchObject({ out: `log: ${line}`, code: 1 });
  expect(await ute('audit', 'verify', '--job', job)).toMatchObject({ out: `${stream}: ${line}`, code: 1 });
});

test.each([
  ['no-such-job', 'There is no job-no-such-job in the log.'],
  ['../x', 'An id of letters, digits and dashes.'],
])('a job that cannot be found is an error: %s', async (id, line) => {
  const { out, err, code } = await ute('audit', 'verify', '--job', id);
  expect({ out, code }).toEqual({ out: '', code: 1 });
  expect(err).toContain(line);
});
