import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#api/runtime/postgres/embedded-postgres.ts';
import { newSession } from '#core/postgres/session.ts';
import { migrate } from '#migrations/run.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

/** A server whose administrator is no superuser, as providers of managed Postgres give it: it may make roles and databases. */
const folder = tempFolder('managed');
const roles = new URL('../../api/runtime/postgres/roles.sql', import.meta.url);
let server: EmbeddedPostgres;

beforeAll(async () => {
  server = await startEmbeddedPostgres({ dataDir: folder.path, disposable: true });
  await run(as('ute', 'postgres'), 'drop database ute with (force); drop role ute_owner, ute_app'.split(';'));
});
beforeEach(() =>
  run(as('ute', 'postgres'), [
    "create role chief login createrole createdb password 'pw'",
    "create role former login createrole password 'pw'",
  ]),
);
afterEach(() =>
  run(as('ute', 'postgres'), [
    'drop database ute with (force)',
    ...['ute_owner', 'ute_app', 'former', 'chief'].map((role) => `drop role if exists ${role}`),
  ]),
);
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

function as(user: string, database = 'ute'): string {
  const address = new URL(server.adminUrl);
  address.pathname = `/${database}`;
  if (user !== 'ute') Object.assign(address, { username: user, password: 'pw' });
  return address.href;
}

async function run<T extends object>(url: string, statements: readonly string[]): Promise<T[]> {
  const client = newSession(url, 'test');
  await client.connect();
  try {
    let rows: T[] = [];
    for (const statement of statements) ({ rows } = await client.query<T>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

async function moveOver(): Promise<void> {
  const passwords = ['ute_owner', 'ute_app'].map((role) => `alter role ${role} password 'pw'`);
  await run(as('chief'), [await Bun.file(roles).text(), ...passwords]);
}

const owners = `select distinct n.nspname || ' ' || pg_get_userbyid(c.relowner) as owner
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('event_store', 'state', 'read', 'proof', 'migrations')
  union select 'database ' || pg_get_userbyid(datdba) from pg_database where datname = 'ute'
  union select 'routines ' || pg_get_userbyid(proowner) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('event_store', 'state', 'read', 'proof', 'migrations')
  order by 1`;

async function expectMoved(): Promise<void> {
  await migrate(as('ute_owner'));
  expect((await run<{ owner: string }>(as('ute'), [owners])).map(({ owner }) => owner)).toEqual([
    ...['database ute_owner', 'event_store ute_owner', 'migrations ute_owner'],
    ...['proof ute_owner', 'read ute_app', 'routines ute_owner', 'state ute_owner'],
  ]);
  const rights = `select pg_has_role('chief', 'ute_owner', 'set') or pg_has_role('chief', 'ute_owner', 'usage') as kept`;
  expect(await run(as('ute'), [rights])).toEqual([{ kept: false }]);
  await expect(run(as('ute_app'), ['delete from event_store.events'])).rejects.toThrow('permission denied');
}

test('an administrator who is no superuser makes the two logins of a new database', async () => {
  await run(as('chief', 'postgres'), ['create database ute']);
  await moveOver();
  await expectMoved();
  await moveOver();
  await expectMoved();
});

test('and moves a database over that the same login owned', async () => {
  await run(as('chief', 'postgres'), ['create database ute']);
  await migrate(as('chief'));
  await moveOver();
  await expectMoved();
});

test('and one that another role owned, once it has the rights of that role', async () => {
  await run(as('ute', 'postgres'), ['create database ute owner former']);
  await migrate(as('former'));
  await run(as('former'), ['grant ute_app to chief with admin true']);
  await expect(moveOver()).rejects.toThrow('must be owner of database ute');
  await run(as('ute'), ['grant former to chief']);
  await moveOver();
  await expectMoved();
});
