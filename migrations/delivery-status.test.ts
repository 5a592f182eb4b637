import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { migrate, readMigrations } from './run.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await database.admin.query('drop schema if exists migrations, state, event_store, read, proof cascade');
});
afterAll(() => database?.close());

test('messages that an earlier release queued, sent and did not want keep what became of them', async () => {
  const all = await readMigrations(new URL('./sql/', import.meta.url));
  const earlier = all.filter(({ name }) => name < '0038');
  await migrate(database.ownerUrl, earlier);
  const statuses = ['waiting', 'held', 'sent', 'unwanted', 'cancelled', 'lapsed', 'dead'];
  for (const standing of statuses) {
    await database.admin.query(
      `insert into state.outbox (id, kind, data, standing, queued_at, wanted_at, due_at, settled_at)
       values (gen_random_uuid(), $1, '{}', $1, now(), now(), now(), case when $1 = 'waiting' then null else now() end)`,
      [standing],
    );
  }
  await migrate(database.ownerUrl, all);
  const { rows } = await database.admin.query('select kind, delivery_status from state.outbox');
  expect(Object.fromEntries(rows.map((row) => [row.kind, row.delivery_status]))).toEqual({
    ...Object.fromEntries(statuses.map((status) => [status, status])),
    unwanted: 'discarded',
  });
});
