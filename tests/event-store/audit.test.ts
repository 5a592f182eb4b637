import { randomBytes } from 'node:crypto';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyChain } from '#core/event-store/chain.ts';
import { createEmbeddedEventStore, openEmbeddedLog } from '#core/event-store/embedded/event-store.ts';
import { WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import { START } from '#core/event-store/port.ts';
import { type TestDatabase, testDatabase } from '#tests/support/database.ts';
import { cause, newJobStream, notes } from './samples.ts';

let database: TestDatabase;
let store: ReturnType<typeof createEmbeddedEventStore>;
beforeAll(async () => {
  database = await testDatabase();
  store = createEmbeddedEventStore({ ...database, connectionString: database.url, dataKey: randomBytes(32) });
});
afterAll(async () => {
  await store?.close();
  await database?.close();
});

async function verify() {
  const log = openEmbeddedLog({ pool: database.pool, connectionString: database.url });
  try {
    return await verifyChain(await log.readAll(START, 1000));
  } finally {
    await log.close();
  }
}

/** What only somebody with the database's own powers can do. */
async function tamper(sql: string, values: unknown[]): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query("set session_replication_role = 'replica'");
    await client.query(sql, values);
    await client.query('reset session_replication_role');
  } finally {
    client.release();
  }
}

test('one flipped byte is found at its position, and nowhere once it is put back', async () => {
  const [a, b] = [newJobStream(), newJobStream()];
  const seed = (n: number) => [a, b].map((stream) => notes(stream, n));
  for (let n = 0; n < 6; n += 1) {
    for (const [index, event] of seed(n).entries()) {
      await store.append([a, b][index] ?? a, n === 0 ? 'no-stream' : n - 1, [event], cause);
    }
  }
  expect(await verify()).toEqual({ checked: 12, broken: null });
  const swap = `update event_store.events
    set data = jsonb_set(data, '{personal,ct}', to_jsonb(translate(left(data->'personal'->>'ct', 1), $2, $3)
      || substr(data->'personal'->>'ct', 2))) where pos = $1`;
  const { rows } = await database.pool.query(
    "select left(data->'personal'->>'ct', 1) c from event_store.events where pos = 7",
  );
  const other = rows[0].c === 'A' ? 'B' : 'A';
  await tamper(swap, [7, rows[0].c, other]);
  expect((await verify()).broken).toMatchObject({ position: '7', stream: a, revision: 3 });
  await tamper(swap, [7, other, rows[0].c]);
  expect((await verify()).broken).toBeNull();
  await tamper("update event_store.events set at = at + interval '1 ms' where pos = $1", [10]);
  expect((await verify()).broken).toMatchObject({ position: '10' });
});

test('events are neither changed nor deleted by accident, whoever asks', async () => {
  const statements = ['delete from event_store.events', 'truncate event_store.events'];
  for (const sql of [...statements, "update event_store.events set type = 'x'"]) {
    await expect(database.pool.query(sql)).rejects.toThrow('events are never changed or deleted');
  }
});

test("the application's role appends and reads with select and insert alone, and can do no more", async () => {
  const role = `app_${randomBytes(6).toString('hex')}`;
  await database.pool.query(`
    create role ${role} login password 'pw';
    grant usage on schema event_store, state to ${role};
    grant select, insert on event_store.events to ${role};
    grant select, insert, update on state.subject_keys to ${role}`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'pw';
  const pool = new Pool({ connectionString: url.href, max: 2 });
  const limited = createEmbeddedEventStore({ pool, connectionString: url.href, dataKey: randomBytes(32) });
  try {
    const stream = newJobStream();
    await limited.append(stream, 'no-stream', [notes(stream, 0)], cause);
    expect(await limited.readStream(stream)).toHaveLength(1);
    for (const sql of ['delete from event_store.events', "update event_store.events set type = 'x'"]) {
      await expect(pool.query(sql)).rejects.toThrow('permission denied');
    }
  } finally {
    await limited.close();
    await pool.end();
    await database.pool.query(`drop owned by ${role}; drop role ${role}`);
  }
});

test('the same fact at another place of the log is refused', async () => {
  const stream = newJobStream();
  const event = notes(stream, 0);
  await store.append(stream, 'no-stream', [event], cause);
  await expect(store.append(stream, 0, [event], cause)).rejects.toThrow(WrongExpectedRevisionError);
});

test('positions are counted without holes, refused appends included', async () => {
  const { rows } = await database.pool.query(
    'select count(*)::int as n, max(pos)::int as last from event_store.events',
  );
  expect(rows[0].n).toBe(rows[0].last);
});
