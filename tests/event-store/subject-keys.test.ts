import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { UnstorableEventError } from '#core/event-store/errors.ts';
import { createSubjectKeys, hearDestroyedKeys } from '#core/event-store/subject-keys.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { cause, newJobStream, notes } from './samples.ts';

const dataKey = randomBytes(32);
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

/** As another process has them: nothing remembered. */
const freshKeys = (key = dataKey) => createSubjectKeys({ pool: database.pool, dataKey: key });

test('a key is made once, whichever caller is first', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => freshKeys().ensure(['customer-race'])));
  expect(new Set(made.map((keys) => keys.get('customer-race')?.toString('hex'))).size).toBe(1);
});

test('keys of a batch come together, and unknown subjects are left out', async () => {
  await freshKeys().ensure(['customer-1', 'customer-2', 'customer-1']);
  const found = await freshKeys().find(['customer-1', 'customer-2', 'customer-3']);
  expect([...found.keys()].toSorted()).toEqual(['customer-1', 'customer-2']);
});

test('what lies in the table does not open with another data key, and is never replaced', async () => {
  await freshKeys().ensure(['customer-wrapped']);
  const strangers = freshKeys(randomBytes(32));
  expect((await strangers.find(['customer-wrapped'])).size).toBe(0);
  await expect(strangers.ensure(['customer-wrapped'])).rejects.toThrow('does not open');
  expect((await freshKeys().find(['customer-wrapped'])).size).toBe(1);
});

test('keys of two subjects cannot be swapped in the table', async () => {
  await freshKeys().ensure(['customer-x', 'customer-y']);
  await database.pool.query(`update state.subject_keys k set wrapped_key =
    (select wrapped_key from state.subject_keys where subject = 'customer-y') where k.subject = 'customer-x'`);
  expect((await freshKeys().find(['customer-x'])).size).toBe(0);
});

test('a destroyed key is gone and never made again', async () => {
  await freshKeys().ensure(['customer-gone']);
  await freshKeys().destroy('customer-gone');
  expect((await freshKeys().ensure(['customer-gone'])).get('customer-gone')).toBe('destroyed');
  await freshKeys().destroy('customer-never-seen');
  expect((await freshKeys().ensure(['customer-never-seen'])).get('customer-never-seen')).toBe('destroyed');
});

test('erasing a person blanks their events, and only theirs, and refuses new ones', async () => {
  const options = { pool: database.pool, connectionString: database.url, dataKey };
  const [before, after] = [createEmbeddedEventStore(options), createEmbeddedEventStore(options)];
  try {
    const [erased, other] = [newJobStream(), newJobStream()];
    for (const stream of [erased, other]) {
      await before.append(stream, 'no-stream', [notes(stream, 0, 'MARKER')], cause);
    }
    await freshKeys().destroy(`customer-${erased.slice('job-'.length)}`);
    expect((await after.readStream(erased))[0]?.event?.data).toMatchObject({ notes: '[erased]' });
    expect((await after.readStream(other))[0]?.event?.data).toMatchObject({ notes: 'MARKER' });
    await expect(after.append(erased, 0, [notes(erased, 1)], cause)).rejects.toThrow(UnstorableEventError);
    const { rows } = await database.pool.query('select * from event_store.events');
    expect(JSON.stringify(rows)).not.toContain('MARKER');
  } finally {
    await Promise.all([before.close(), after.close()]);
  }
});

test('destroying answers how many keys there were, and does it once', async () => {
  const keys = freshKeys();
  await keys.ensure(['customer-a', 'customer-b']);
  expect(await keys.destroy('customer-a', 'customer-b', 'customer-a')).toBe(2);
  expect(await keys.destroy('customer-a', 'customer-b')).toBe(0);
  expect(await keys.destroy()).toBe(0);
});

test('a process that has the key in memory drops it as soon as another one destroys it', async () => {
  const [here, there] = [freshKeys(), freshKeys()];
  await here.ensure(['customer-heard', 'customer-stays']);
  const dropped: (string | null)[] = [];
  const heard = Promise.withResolvers<void>();
  const listening = Promise.withResolvers<void>();
  const stop = hearDestroyedKeys(database.url, [
    here,
    {
      drop(subject) {
        dropped.push(subject);
        if (subject === null) listening.resolve();
        else heard.resolve();
      },
    },
  ]);
  await listening.promise;
  expect(Buffer.isBuffer((await here.find(['customer-heard'])).get('customer-heard'))).toBe(true);
  await there.destroy('customer-heard');
  await heard.promise;
  expect(dropped).toEqual([null, 'customer-heard']);
  expect((await here.find(['customer-heard'])).get('customer-heard')).toBe('destroyed');
  await stop();
});

test('a data key of another length is refused', () => {
  expect(() => freshKeys(randomBytes(16))).toThrow(RangeError);
});

test('a reader of very many people leaves the cache to the others', async () => {
  const keys = freshKeys();
  await freshKeys().ensure(['customer-often', 'customer-once']);
  await keys.find(['customer-often']);
  expect((await keys.find(['customer-often', 'customer-once'], 'uncached')).size).toBe(2);
  await database.pool.query(
    `delete from state.subject_keys where subject in ('customer-often', 'customer-once')`,
  );
  expect([...(await keys.find(['customer-often', 'customer-once'])).keys()]).toEqual(['customer-often']);
});
