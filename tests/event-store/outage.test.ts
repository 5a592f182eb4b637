import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { START } from '#core/event-store/port.ts';
import { type TestDatabase, testDatabase, testPool } from '#tests/support/app/database.ts';
import { type TcpGate, tcpGate } from '#tests/support/servers/outages.ts';
import { cause, newJobStream, notes } from './samples.ts';
import { follow } from './subscriber.ts';

let database: TestDatabase;
let gate: TcpGate;
let pool: Pool;
let store: ReturnType<typeof createEmbeddedEventStore>;
/** Another process on the same log, whose connections stay whole. */
let neighbour: ReturnType<typeof createEmbeddedEventStore>;
const dataKey = randomBytes(32);

beforeAll(async () => {
  database = await testDatabase();
  gate = await tcpGate(database.url);
  pool = testPool(gate.url, 4);
  store = createEmbeddedEventStore({ pool, connectionString: gate.url, dataKey });
  neighbour = createEmbeddedEventStore({ pool: database.pool, connectionString: database.url, dataKey });
});
afterAll(async () => {
  await Promise.all([store?.close(), neighbour?.close()]);
  await pool?.end();
  await gate?.close();
  await database?.close();
});

/** Resolves when the store has an ear at the server again. */
async function listening(): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query(
      `select 1 from pg_stat_activity where datname = current_database()
        and application_name = 'ute listen event_store' and query = 'listen event_store'`,
    );
    if (rows.length >= 2) return;
  }
}

test('while Postgres is unavailable every call says so, and no error escapes', async () => {
  const stream = newJobStream();
  const event = notes(stream, 0);
  await store.head();
  gate.shut();
  await expect(store.append(stream, 'no-stream', [event], cause)).rejects.toThrow(EventStoreUnavailableError);
  await expect(store.readStream(stream)).rejects.toThrow(EventStoreUnavailableError);
  await expect(store.readAll(START, 1)).rejects.toThrow(EventStoreUnavailableError);
  await expect(store.head()).rejects.toThrow(EventStoreUnavailableError);
  gate.open();
  expect((await store.append(stream, 'no-stream', [event], cause)).revision).toBe(0);
});

test('a subscription waits an outage out, and sees what was appended meanwhile', async () => {
  const follower = follow(store, await store.head());
  await follower.until(({ caughtUp }) => caughtUp !== null);
  gate.shut();
  const stream = newJobStream();
  await neighbour.append(stream, 'no-stream', [notes(stream, 0)], cause);
  gate.open();
  await follower.until(({ events }) => events.length === 1);
  await follower.stop();
});

test('hints from another process arrive, also after the connection for them was cut', async () => {
  for (const cut of [false, true]) {
    if (cut) {
      gate.shut();
      gate.open();
    }
    await listening();
    const follower = follow(store, await neighbour.head());
    await follower.until(({ caughtUp }) => caughtUp !== null);
    const started = performance.now();
    for (let n = 0; n < 40; n += 1) {
      const stream = newJobStream();
      await neighbour.append(stream, 'no-stream', [notes(stream, 0)], cause);
      await follower.until(({ events }) => events.length === n + 1);
    }
    // By polls alone the forty rounds take about forty seconds.
    expect(performance.now() - started).toBeLessThan(20_000);
    await follower.stop();
  }
});

test('a writer that holds the log too long is not waited for without end', async () => {
  const blocker = await database.pool.connect();
  try {
    await blocker.query('begin');
    await blocker.query('select pg_advisory_xact_lock(7310579643204)');
    const stream = newJobStream();
    await expect(store.append(stream, 'no-stream', [notes(stream, 0)], cause)).rejects.toThrow(
      EventStoreUnavailableError,
    );
    await blocker.query('rollback');
    expect(await store.readStream(stream)).toEqual([]);
    expect((await store.append(stream, 'no-stream', [notes(stream, 0)], cause)).revision).toBe(0);
  } finally {
    blocker.release();
  }
});

test('closing ends subscriptions without an error', async () => {
  const other = createEmbeddedEventStore({ pool, connectionString: gate.url, dataKey });
  const follower = follow(other, START);
  await follower.until(({ caughtUp }) => caughtUp !== null);
  await other.close();
  await follower.stop();
});
