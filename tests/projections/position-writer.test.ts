import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { inTransaction } from '#core/postgres/transaction.ts';
import { openCheckpoint, readCheckpoint } from '#projections/runtime/follow/checkpoint.ts';
import { createPositionWriter, type PositionWriter } from '#projections/runtime/follow/subscription.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';

let database: TestDatabase;
let positions: PositionWriter;
const moved = vi.fn();

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  positions = createPositionWriter(database.pool);
  moved.mockClear();
  for (const key of ['one', 'other']) await openCheckpoint(database.pool, key, 1, '10');
});
afterEach(async () => {
  await positions.stop();
  await database.pool.query('delete from read.checkpoints');
});
afterAll(() => database.close());

const stored = async (key: string) => (await readCheckpoint(database.pool, key))?.position;
const isStored = (key: string, position: string) =>
  vi.waitFor(async () => expect(await stored(key)).toBe(position), { timeout: 20_000 });

test('what several passed in memory is written in one statement, and again only where it has moved', async () => {
  const query = vi.spyOn(database.pool, 'query');
  const writes = () =>
    query.mock.calls.filter(([statement]) => (statement as { name?: string }).name === 'pass-checkpoints');
  for (let n = 11; n <= 20; n += 1) {
    for (const key of ['one', 'other']) positions.pass(key, '10', String(n), moved);
  }
  for (const key of ['one', 'other']) await isStored(key, '20');
  expect(writes()).toHaveLength(1);
  positions.pass('one', '10', '25', moved);
  await isStored('one', '25');
  expect(await stored('other')).toBe('20');
  expect(writes()).toHaveLength(2);
  query.mockRestore();
  expect(await positions.settle('one')).toBe('25');
  expect(await positions.settle('one')).toBeUndefined();
  expect(moved).not.toHaveBeenCalled();
});

test('a checkpoint that is locked holds up no other, and is written once it is free', async () => {
  await inTransaction(database.pool, async (db) => {
    await db.query(`select from read.checkpoints where projection = 'one' for update`);
    positions.pass('one', '10', '20', moved);
    positions.pass('other', '10', '20', moved);
    await isStored('other', '20');
    expect(await stored('one')).toBe('10');
  });
  await isStored('one', '20');
  expect(moved).not.toHaveBeenCalled();
});

test('a checkpoint that another writer has moved is left alone, and its follower is notified once', async () => {
  await database.pool.query(`update read.checkpoints set position = 15 where projection = 'one'`);
  positions.pass('one', '10', '20', moved);
  positions.pass('other', '10', '20', moved);
  await isStored('other', '20');
  await expect.poll(() => moved.mock.calls.length).toBe(1);
  expect(await stored('one')).toBe('15');
  expect(await positions.settle('one')).toBeUndefined();
});

test('a stop writes at once', async () => {
  positions.pass('one', '10', '20', moved);
  await positions.stop();
  expect(await stored('one')).toBe('20');
});
