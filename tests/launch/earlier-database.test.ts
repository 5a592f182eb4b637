import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '#api/runtime/postgres/embedded-postgres.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { newSession } from '#core/postgres/session.ts';
import { migrate } from '#migrations/run.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { testPool } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder('earlier');
});
afterEach(() => folder.remove());

const dataKey = randomBytes(32);
const stream = newJobStream();

const start = () => startEmbeddedPostgres({ dataDir: folder.path, disposable: true });

async function withStore<T>(
  url: string,
  work: (store: ReturnType<typeof createEmbeddedEventStore>) => Promise<T>,
) {
  // The server is stopped soon after: a session may still be on its way out, and is told so by an error.
  const pool = testPool(url, 2);
  const store = createEmbeddedEventStore({ pool, connectionString: url, dataKey });
  try {
    return await work(store);
  } finally {
    await store.close();
    await pool.end();
  }
}

async function ask<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = newSession(url, 'test');
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** As releases before the two logins left it: all is the superuser's, and the application a role without a login. */
async function layOutEarlier(): Promise<void> {
  const server = await start();
  const serverUrl = new URL(server.adminUrl);
  serverUrl.pathname = '/postgres';
  await ask(serverUrl.href, 'drop database ute with (force)');
  await ask(serverUrl.href, 'drop role ute_owner, ute_app');
  await ask(serverUrl.href, 'create database ute');
  for (const file of ['owner-password', 'app-password']) rmSync(join(folder.path, 'postgres', file));
  await migrate(server.adminUrl);
  await ask(
    server.adminUrl,
    `insert into state.files (id, business_id, kind, name, mime, bytes, created_at)
     values ('f1', 'b1', 'logo', 'logo.png', 'image/png', 1, now())`,
  );
  await withStore(server.adminUrl, (store) => store.append(stream, 'no-stream', [notes(stream, 0)], cause));
  await server.stop();
}

const owners = `
  select distinct nspname || ' ' || pg_get_userbyid(c.relowner) as owner
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('event_store', 'state', 'read', 'proof', 'migrations') order by 1`;

test('a data folder of a release with one superuser moves over by itself, and loses nothing', async () => {
  await layOutEarlier();
  const server = await start();
  expect(await migrate(server.ownerUrl)).toEqual([]);
  const allBut = [
    ...['event_store ute_owner', 'migrations ute_owner', 'proof ute_owner', 'read ute_app'],
    'state ute_owner',
  ];
  expect((await ask<{ owner: string }>(server.adminUrl, owners)).map(({ owner }) => owner)).toEqual(allBut);
  const database = "select pg_get_userbyid(datdba) as owner from pg_database where datname = 'ute'";
  expect(await ask(server.url, database)).toEqual([{ owner: 'ute_owner' }]);

  const read = await withStore(server.url, async (store) => {
    await store.append(stream, 0, [notes(stream, 1)], cause);
    return store.readStream(stream);
  });
  expect(read).toHaveLength(2);
  expect(await ask(server.url, 'select id from state.files')).toEqual([{ id: 'f1' }]);
  await expect(ask(server.url, 'set role ute; delete from event_store.events')).rejects.toThrow(
    'permission denied',
  );
  await expect(ask(server.url, "copy (select 1) to program 'true'")).rejects.toThrow('permission denied');
  await expect(ask(server.ownerUrl, "copy (select 1) to program 'true'")).rejects.toThrow(
    'permission denied',
  );

  const again = await start();
  expect([again.url, again.ownerUrl]).toEqual([server.url, server.ownerUrl]);
  await again.stop();
  await server.stop();
});
