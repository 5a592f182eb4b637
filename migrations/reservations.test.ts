import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { migrate, readMigrations } from './run.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await database.admin.query('drop schema if exists migrations, state, event_store, read, proof cascade');
  const all = await readMigrations(new URL('./sql/', import.meta.url));
  await migrate(
    database.ownerUrl,
    all.filter(({ name }) => name < '0039'),
  );
  await database.admin.query(
    `insert into state.claims (kind, key, owner, standing, expires_at)
     select 'slug', convert_to(standing, 'UTF8'), gen_random_uuid(), standing,
       case when standing <> 'kept' then now() end
     from unnest(array['held', 'kept', 'left']) as standing`,
  );
  await database.admin.query(
    `insert into state.intake (job_id, business_id, source_hash, accepted_at, expires_at, door)
     select gen_random_uuid(), gen_random_uuid(), door, now(), now(), door
     from unnest(array['checked', 'page', 'away']) as door`,
  );
  await migrate(database.ownerUrl, all);
});
afterAll(() => database?.close());

test('what an earlier release reserved stays reserved, with its status', async () => {
  const { rows } = await database.admin.query(
    `select convert_from(key, 'UTF8') as was, status from state.reservations order by status`,
  );
  expect(rows).toEqual(['held', 'kept', 'left'].map((status) => ({ was: status, status })));
});

test('requests that an earlier release accepted count for their channel', async () => {
  const { rows } = await database.admin.query(
    'select source_hash as was, channel from state.intake order by was',
  );
  expect(rows).toEqual([
    { was: 'away', channel: 'unavailable' },
    { was: 'checked', channel: 'checked' },
    { was: 'page', channel: 'page' },
  ]);
});
