import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#api/http/log.ts';
import { type Database, openDatabase } from '#api/process/database.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { migrate } from '#migrations/run.ts';
import { testConfig } from '#tests/support/api-config.ts';
import { type TestDatabase, testDatabase } from '#tests/support/database.ts';
import { cause, newJobStream, notes } from './samples.ts';

/** Where the product's own sessions work, and where their owner does. */
let database: Database;
let owned: TestDatabase;

beforeAll(async () => {
  owned = await testDatabase();
  database = await openDatabase(testConfig({ DATABASE_URL: owned.url }), createLogger('silent'), migrate);
});
afterAll(async () => {
  await database?.close();
  await owned?.close();
});

const store = () =>
  createEmbeddedEventStore({ pool: database.log, connectionString: database.url, dataKey: randomBytes(32) });

test('the product appends to the log and reads it', async () => {
  const log = store();
  const stream = newJobStream();
  await log.append(stream, 'no-stream', [notes(stream, 0)], cause);
  expect(await log.readStream(stream)).toHaveLength(1);
  await log.close();
});

test.each([
  ['delete from event_store.events', 'permission denied'],
  ["update event_store.events set type = 'x'", 'permission denied'],
  ['truncate event_store.events', 'permission denied'],
  ['alter table event_store.events disable trigger all', 'must be owner'],
  ['drop table event_store.events', 'must be owner'],
  ["set session_replication_role = 'replica'", 'permission denied'],
  ['create table event_store.mine ()', 'permission denied'],
  ["reset role; update event_store.events set type = 'x'", 'permission denied'],
  ['delete from migrations.applied', 'permission denied'],
])('the product cannot: %s', async (sql, reason) => {
  for (const pool of [database.log, database.requests]) {
    const client = await pool.connect();
    try {
      await expect(client.query(sql)).rejects.toThrow(reason);
    } finally {
      client.release(true);
    }
  }
});

test('the read models are its own, and everything of the state may be written', async () => {
  const { rows } = await database.log.query<{ name: string; may: boolean }>(
    `select c.oid::regclass::text as name,
       case when n.nspname = 'read' then pg_get_userbyid(c.relowner) = current_user
         else has_table_privilege(c.oid, 'select') and has_table_privilege(c.oid, 'insert')
           and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete') end as may
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('read', 'state')`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter(({ may }) => !may)).toEqual([]);
});

test('a start on a database that has it all touches nothing', async () => {
  const rights = async () =>
    (await owned.pool.query('select oid, xmin from pg_class union all select oid, xmin from pg_namespace'))
      .rows;
  const before = await rights();
  await migrate(owned.url);
  expect(await rights()).toEqual(before);
});

test('a user who may not set up the role is told what an administrator must do', async () => {
  const role = `owner_${randomBytes(6).toString('hex')}`;
  await owned.pool.query(`create role ${role} login password 'pw'`);
  await owned.pool.query(`create database ${role} owner ${role}`);
  const url = new URL(owned.url);
  url.username = role;
  url.password = 'pw';
  url.pathname = `/${role}`;
  try {
    await expect(migrate(url.href)).rejects.toThrow(
      /administrator run: create role ute_app; grant ute_app to/,
    );
    await owned.pool.query(`grant ute_app to ${role}`);
    await migrate(url.href);
    url.searchParams.set('options', '-c role=ute_app');
    const pool = new Pool({ connectionString: url.href, max: 1 });
    // A farewell that the drop of the database overtakes.
    pool.on('error', () => {});
    await expect(pool.query('delete from event_store.events')).rejects.toThrow('permission denied');
    await pool.end();
  } finally {
    await owned.pool.query(`drop database ${role} with (force)`);
    await owned.pool.query(`drop role ${role}`);
  }
});
