import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#api/http/log.ts';
import { type Database, openDatabase } from '#api/runtime/database.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { newSession } from '#core/postgres/session.ts';
import { migrate } from '#migrations/run.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { cause, newJobStream, notes } from './samples.ts';

/** Where the product's own sessions work, and where their owner does. */
let database: Database;
let owned: TestDatabase;

/** A database belongs to the keys that it was first opened with. */
const { keys } = testConfig();
const configOf = (env: Record<string, string>) => ({ ...testConfig(env), keys });
const open = (env: Record<string, string>) => openDatabase(configOf(env), createLogger('silent'), migrate);

beforeAll(async () => {
  owned = await testDatabase();
  database = await open({ DATABASE_URL: owned.url, MIGRATION_DATABASE_URL: owned.ownerUrl });
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

const forbidden: [sql: string, reason: string][] = [
  ['delete from event_store.events', 'permission denied'],
  ["update event_store.events set type = 'x'", 'permission denied'],
  ['truncate event_store.events', 'permission denied'],
  ['alter table event_store.events disable trigger all', 'must be owner'],
  ['alter table event_store.events disable trigger events_stay', 'must be owner'],
  ['drop trigger events_stay on event_store.events', 'must be owner'],
  ['drop function event_store.refuse_change cascade', 'must be owner'],
  ['alter table event_store.events add column mine text', 'must be owner'],
  ['alter table state.subject_keys owner to ute_app', 'must be owner'],
  ['drop table event_store.events', 'must be owner'],
  ["set session_replication_role = 'replica'", 'permission denied'],
  ['create table event_store.mine ()', 'permission denied'],
  ['create table state.mine ()', 'permission denied'],
  ['create schema mine', 'permission denied'],
  ["reset role; update event_store.events set type = 'x'", 'permission denied'],
  ["set role none; update event_store.events set type = 'x'", 'permission denied'],
  ['set role none; alter table event_store.events disable trigger all', 'must be owner'],
  ['set role ute_owner', 'permission denied'],
  ['set role ute', 'permission denied'],
  ['set session authorization ute_owner', 'permission denied'],
  ['alter role ute_app superuser', 'permission denied'],
  ["alter role ute_owner password 'x'", 'permission denied'],
  ['create role mine', 'permission denied'],
  ["copy (select 1) to program 'true'", 'permission denied'],
  ["copy event_store.events to program 'cat'", 'permission denied'],
  ["copy event_store.events from program 'true'", 'permission denied'],
  ["copy (select 1) to '/tmp/mine'", 'permission denied'],
  ["select pg_read_file('/etc/passwd')", 'permission denied'],
  ["select pg_ls_dir('.')", 'permission denied'],
  ["select lo_import('/etc/passwd')", 'permission denied'],
  ['select rolpassword from pg_authid', 'permission denied'],
  ['delete from migrations.applied', 'permission denied'],
  ['drop function event_store.refuse_change cascade', 'must be owner'],
  ['alter function event_store.refuse_change set schema read', 'must be owner'],
  [
    'create or replace function event_store.refuse_change() returns trigger language plpgsql as $$begin end$$',
    'permission denied',
  ],
];

test.each(forbidden)('the product cannot: %s', async (sql, reason) => {
  for (const pool of [database.log, database.requests]) {
    const client = await pool.connect();
    try {
      await expect(client.query(sql)).rejects.toThrow(reason);
    } finally {
      client.release(true);
    }
  }
});

test('the owner is no superuser, and none of its rights reach the product', async () => {
  const { rows } = await owned.admin.query(
    `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles
     where rolname in ('ute_owner', 'ute_app') order by rolname`,
  );
  const none = {
    ...{ rolsuper: false, rolcreaterole: false, rolcreatedb: false },
    ...{ rolreplication: false, rolbypassrls: false },
  };
  expect(rows).toEqual([
    { rolname: 'ute_app', ...none },
    { rolname: 'ute_owner', ...none },
  ]);
  const member = await owned.admin.query("select pg_has_role('ute_app', 'ute_owner', 'member') as is");
  expect(member.rows).toEqual([{ is: false }]);
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
    (await owned.admin.query('select oid, xmin from pg_class union all select oid, xmin from pg_namespace'))
      .rows;
  const before = await rights();
  await migrate(owned.ownerUrl);
  expect(await rights()).toEqual(before);
});

describe('which login is given', () => {
  const advice =
    'let an administrator run api/runtime/postgres/roles.sql, give DATABASE_URL the login ute_app and MIGRATION_DATABASE_URL the login ute_owner';

  test.each([
    ['a superuser', () => owned.adminUrl],
    ['the owner of the database', () => owned.ownerUrl],
  ])('as DATABASE_URL %s is refused beside the owner, in one line', async (what, url) => {
    const env = { DATABASE_URL: url(), MIGRATION_DATABASE_URL: owned.ownerUrl };
    const refusal = await open(env).then(String, (error: Error) => error.message);
    expect(refusal).toContain(`the login of DATABASE_URL is ${what}: ${advice}`);
    expect(refusal).not.toContain('\n');
    expect(refusal).not.toContain(new URL(url()).password);
  });

  test('in production it is refused alone, too', async () => {
    const config = { ...configOf({ DATABASE_URL: owned.ownerUrl }), environment: 'production' as const };
    await expect(openDatabase(config, createLogger('silent'), migrate)).rejects.toThrow(advice);
  });

  test("a developer's one login may own the database: its sessions do not go by its rights", async () => {
    const alone = await open({ DATABASE_URL: owned.ownerUrl });
    for (const pool of [alone.log, alone.requests])
      await expect(pool.query('delete from event_store.events')).rejects.toThrow('permission denied');
    await alone.close();
  });

  test("the application's alone serves a database that lacks nothing", async () => {
    const config = { ...configOf({ DATABASE_URL: owned.url }), environment: 'production' as const };
    const alone = await openDatabase(config, createLogger('silent'), migrate);
    expect((await alone.requests.query('select session_user as me')).rows).toEqual([{ me: 'ute_app' }]);
    await alone.close();
  });

  test('and says whose address it needs where a migration is missing', async () => {
    const name = `bare_${randomBytes(6).toString('hex')}`;
    await owned.admin.query(`create database ${name} owner ute_owner`);
    const url = new URL(owned.url);
    url.pathname = `/${name}`;
    try {
      await expect(open({ DATABASE_URL: url.href })).rejects.toThrow(
        /^The database lacks migration 0001-event-store\.sql, .*: give MIGRATION_DATABASE_URL the owner's address\.$/,
      );
    } finally {
      await owned.admin.query(`drop database ${name} with (force)`);
    }
  });
});

test('a user who may not set up the role is shown what an administrator must do, and it helps', async () => {
  const role = `owner_${randomBytes(6).toString('hex')}`;
  await owned.admin.query(`create role ${role} login password 'pw'`);
  await owned.admin.query(`create database ${role} owner ${role}`);
  const own = new URL(owned.url);
  own.username = role;
  own.password = 'pw';
  const ownersOf = (url: string) => Object.assign(new URL(url), { pathname: `/${role}` }).href;
  try {
    const roles = 'api/runtime/postgres/roles.sql';
    await expect(migrate(ownersOf(own.href))).rejects.toThrow(`administrator run ${roles} in it`);
    const admin = newSession(ownersOf(owned.adminUrl), 'test');
    await admin.connect();
    await admin.query(await Bun.file(roles).text());
    await admin.end();
    const moved = { DATABASE_URL: ownersOf(owned.url), MIGRATION_DATABASE_URL: ownersOf(owned.ownerUrl) };
    const opened = await open(moved);
    await expect(opened.log.query('delete from event_store.events')).rejects.toThrow('permission denied');
    await opened.close();
  } finally {
    await owned.admin.query(`drop database ${role} with (force)`);
    await owned.admin.query(`drop role ${role}`);
  }
});
