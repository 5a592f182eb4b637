import type { AddressInfo } from 'node:net';
import { createConnection, createServer } from 'node:net';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createBusinessRows } from '#api/runtime/business-rows.ts';
import { isConflict, retryConflicts } from '#core/postgres/conflict.ts';
import { differingSettings, endSession, newSession } from '#core/postgres/session.ts';
import { pinStatements, withSettings } from '#core/postgres/settings.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type TestDatabase, testDatabase, testPool } from '#tests/support/app/database.ts';

let database: TestDatabase;
const opened: Pool[] = [];
const pool = (url: string, options = {}) => {
  const one = testPool(url, 2, options);
  opened.push(one);
  return one;
};
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.end()));
  const name = nameOf(database.url);
  await database.admin.query(`alter database ${name} reset all`);
  await database.admin.query(`alter role ute_app in database ${name} reset all`);
});
afterAll(() => database.close());

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** Each setting that a session pins, with a value under which some statement of ours would fail, stop or mean something else. */
const hostile: Readonly<Record<string, string>> = {
  statement_timeout: '150ms',
  lock_timeout: '1ms',
  idle_in_transaction_session_timeout: '1ms',
  client_encoding: 'LATIN1',
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Pacific/Auckland',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  quote_all_identifiers: 'on',
  client_min_messages: 'debug5',
  standard_conforming_strings: 'off',
  backslash_quote: 'on',
  array_nulls: 'off',
  transform_null_equals: 'on',
  gin_fuzzy_search_limit: '1',
  plan_cache_mode: 'force_generic_plan',
  jit: 'on',
  default_transaction_isolation: 'serializable',
  default_transaction_read_only: 'on',
  default_transaction_deferrable: 'on',
  exit_on_error: 'on',
  synchronous_commit: 'off',
  row_security: 'off',
  'ute.business': '*',
  default_tablespace: 'pg_global',
  default_table_access_method: 'none',
  password_encryption: 'md5',
  log_parameter_max_length_on_error: '-1',
  idle_session_timeout: '250ms',
  createrole_self_grant: 'set',
  restrict_nonsystem_relation_kind: 'view',
  transaction_timeout: '150ms',
  search_path: 'evil, public',
};

async function makeHostile(of: string): Promise<void> {
  for (const [name, value] of Object.entries(hostile)) {
    const text = name === 'search_path' || name === 'DateStyle' ? value : `'${value}'`;
    await database.admin.query(`alter ${of} set ${name} = ${text}`).catch((error: Error) => {
      // What a newer server knows alone, and what this one takes from no default.
      if (
        !/unrecognized configuration parameter|invalid value for parameter "default_table/.test(error.message)
      )
        throw error;
    });
  }
}

test('there is a hostile value for each setting that is pinned', () => {
  const text = pinStatements({}, 'a-name');
  const pins = [...text.matchAll(/^set (\S+) =|\('(\w+)', '\w*'\)/gm)].map(([, set, known]) => set ?? known);
  expect(new Set([...pins, 'search_path'])).toEqual(new Set([...Object.keys(hostile), 'ute.session']));
});

test.each(['database', 'login'])('no default of a %s reaches a session of ours', async (of) => {
  const name = nameOf(database.url);
  await makeHostile(of === 'database' ? `database ${name}` : `role ute_app in database ${name}`);
  const requests = pool(withSettings(database.url, { statement_timeout: '1500ms' }));
  expect(await differingSettings(requests)).toEqual([]);
  expect(await differingSettings(pool(database.url, { pipeline: true }))).toEqual([]);
  const session = newSession(database.url, 'test');
  await session.connect();
  expect((await session.query('show DateStyle')).rows).toEqual([{ DateStyle: 'ISO, MDY' }]);
  await endSession(session);
  const { rows } = await requests.query(
    `select current_setting('statement_timeout') as limit, current_setting('ute.business') as business,
       timestamptz '2026-11-20 02:00Z' as at, array['NULL', null] as list, 'a\\' as text, current_setting('search_path') as path`,
  );
  expect(rows).toEqual([
    {
      limit: '1500ms',
      business: '',
      at: new Date('2026-11-20T02:00Z'),
      list: ['NULL', null],
      text: 'a\\',
      path: 'public',
    },
  ]);
});

test('what a login may not set is named, and so is a session that a pooler gave to another', async () => {
  const name = nameOf(database.url);
  await database.admin.query(
    `alter role ute_app in database ${name} set session_replication_role = 'replica'`,
  );
  await database.admin.query(`alter database ${name} set plpgsql.variable_conflict = 'use_column'`);
  const one = pool(database.url);
  expect((await differingSettings(one)).sort()).toEqual([
    'plpgsql.variable_conflict',
    'session_replication_role',
  ]);
  await database.admin.query(`alter role ute_app in database ${name} reset all`);
  await database.admin.query(`alter database ${name} reset all`);
  const shared = pool(database.url, { max: 1 });
  await shared.query("set ute.session = 'of another'; set row_security = off");
  expect((await differingSettings(shared)).sort()).toEqual(['row_security', 'ute.session']);
});

test('the operators of the search are found where an administrator put them', async () => {
  await database.admin.query('create schema "Add ons"; alter extension pg_trgm set schema "Add ons"');
  try {
    const { rows } = await pool(database.url).query('show search_path');
    expect(rows).toEqual([{ search_path: 'public, "Add ons"' }]);
    await database.admin.query('create table read.searched (text text)');
    await pool(database.adminUrl).query('create index on read.searched using gin (text gin_trgm_ops)');
    expect(await differingSettings(pool(database.url))).toEqual([]);
  } finally {
    await database.admin.query(
      'drop table read.searched; alter extension pg_trgm set schema public; drop schema "Add ons"',
    );
  }
});

test('a pooler that refuses startup options is no obstacle', async () => {
  const pooler = await strictPooler(database.url);
  try {
    const url = withSettings(pooler.url, { 'ute.business': '*', lock_timeout: '1200ms' });
    const through = pool(url);
    expect(await differingSettings(through)).toEqual([]);
    expect((await through.query("select current_setting('ute.business') as of")).rows).toEqual([{ of: '*' }]);
    await expect(pool(`${pooler.url}?options=-c%20geqo=off`).query('select')).rejects.toThrow(
      'unsupported startup',
    );
  } finally {
    await pooler.close();
  }
});

test('two transactions that wait for each other both come through', async () => {
  await database.pool.query('create table read.waits (id integer primary key, n integer not null)');
  await database.pool.query('insert into read.waits values (1, 0), (2, 0)');
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const add = (ids: readonly [number, number]) =>
    inTransaction(database.pool, async (db) => {
      await db.query('update read.waits set n = n + 1 where id = $1', [ids[0]]);
      begun += 1;
      if (begun === 2) both.resolve();
      await both.promise;
      await db.query('update read.waits set n = n + 1 where id = $1', [ids[1]]);
    });
  await Promise.all([add([1, 2]), add([2, 1])]);
  expect(begun).toBe(3);
  expect((await database.pool.query('select n from read.waits')).rows).toEqual([{ n: 2 }, { n: 2 }]);
});

test('what met a conflict is done again: transactions, statements and reads of one business, four times at most', async () => {
  await database.admin.query(`create sequence public.tries;
    create function public.conflict_twice() returns text language plpgsql security definer as $$
      begin
        if nextval('public.tries') % 3 > 0 then raise exception 'of another' using errcode = '40001'; end if;
        return 'done';
      end $$`);
  const asked = 'select public.conflict_twice() as is';
  const done = { rows: [{ is: 'done' }] };
  expect(await database.pool.query(asked)).toMatchObject(done);
  expect(await inTransaction(database.pool, (db) => db.query(asked))).toMatchObject(done);
  const rowsOf = createBusinessRows(pool(database.url, { pipeline: true }));
  expect(await rowsOf('b1').query(asked)).toMatchObject(done);
  await expect(inTransaction(database.pool, (db) => db.query(asked), { once: true })).rejects.toThrow(
    'of another',
  );
  let tries = 0;
  const never = retryConflicts(async () => {
    tries += 1;
    throw Object.assign(new Error('again'), { code: '40P01' });
  });
  await expect(never).rejects.toSatisfy(isConflict);
  expect(tries).toBe(4);
});

/** As PgBouncer does: takes a connection whose startup names nothing but these, and refuses others. */
const taken = ['user', 'database', 'client_encoding', 'application_name', 'datestyle', 'timezone'];

/** Stands before a server and looks at how sessions begin. */
async function strictPooler(url: string) {
  const server = new URL(url);
  const socket = server.searchParams.get('host');
  const target = socket
    ? { path: `${socket}/.s.PGSQL.${server.port}` }
    : { host: server.hostname, port: Number(server.port) };
  const connections = new Set<{ destroy(): void }>();
  const pooler = createServer((client) => {
    connections.add(client);
    client.on('error', () => {});
    client.once('data', (startup: Buffer) => {
      const words = startup.subarray(8).toString().split('\0');
      const refused = words.find(
        (word, n) => n % 2 === 0 && word !== '' && !taken.includes(word.toLowerCase()),
      );
      if (refused) {
        const fields = Buffer.from(`SFATAL\0C08P01\0Munsupported startup parameter: ${refused}\0\0`);
        const head = Buffer.from([69, 0, 0, 0, fields.length + 4]);
        client.end(Buffer.concat([head, fields]));
        return;
      }
      const upstream = createConnection(target);
      connections.add(upstream);
      upstream.on('error', () => client.destroy());
      upstream.write(startup);
      client.pipe(upstream).pipe(client);
    });
  });
  await new Promise<void>((resolve) => pooler.listen(0, '127.0.0.1', resolve));
  const address = new URL(`postgres://127.0.0.1:${(pooler.address() as AddressInfo).port}${server.pathname}`);
  address.username = server.username;
  address.password = server.password;
  return {
    url: address.href,
    close: () => {
      for (const one of connections) one.destroy();
      return new Promise((resolve) => pooler.close(resolve));
    },
  };
}
