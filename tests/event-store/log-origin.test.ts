import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { createEventStoreDbEventStore } from '#core/event-store/eventstoredb/event-store.ts';
import {
  createLogOrigin,
  type LogKind,
  type ReaderPosition,
  verifiedStore,
  WrongLogError,
} from '#core/event-store/log-origin.ts';
import { type EventStore, type Position, START } from '#core/event-store/port.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { createServerLog, type ServerLog } from '#tests/support/servers/eventstoredb/server-log.ts';
import { type StandIn, startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';
import { cause, newJobStream, notes } from './samples.ts';

const dataKey = randomBytes(32);
let database: TestDatabase;
let embedded: EventStore & { close(): Promise<void> };
const opened: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await testDatabase();
  const { pool, url: connectionString } = database;
  embedded = createEmbeddedEventStore({ pool, connectionString, dataKey });
});
beforeEach(() => database.pool.query('delete from state.log_identity'));
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});
afterAll(async () => {
  await embedded?.close();
  await database?.close();
});

async function onServer(log?: ServerLog): Promise<{ server: StandIn; store: EventStore }> {
  const server = await startStandIn(log ? { log } : {});
  const url = `esdb://${server.host}:${server.port}?tls=false`;
  const timeouts = { request: 2_000, page: 4_000 };
  const store = createEventStoreDbEventStore({ url, pool: database.pool, dataKey, timeouts });
  opened.push(async () => {
    await store.close();
    server.kill();
  });
  return { server, store };
}

function originOf(store: EventStore, kind: LogKind, readers: readonly ReaderPosition[] = []) {
  return createLogOrigin({ store, pool: database.pool, kind, readers: async () => readers });
}

async function append(store: EventStore, times = 1): Promise<Position> {
  let position = START;
  for (let n = 0; n < times; n++) {
    const stream = newJobStream();
    ({ position } = await store.append(stream, 'no-stream', [notes(stream, 0, 'Ring twice')], cause));
  }
  return position;
}

/** The log as a copy of it held it when it had so many events. */
function copyOf({ all }: ServerLog, events: number): ServerLog {
  const copy = createServerLog();
  for (const event of all.filter(({ stream }) => !stream.startsWith('$')).slice(0, events)) {
    copy.append(event.stream, 'any', [event]);
  }
  return copy;
}

const noted = async () =>
  (await database.pool.query('select kind, first_event from state.log_identity')).rows;
const firstOf = async (store: EventStore) => (await store.readAll(START, 1))[0]?.id;

test('a log is noted with its first event, not before, and the same one is right ever after', async () => {
  const { store } = await onServer();
  const origin = originOf(store, 'eventstoredb');
  const verified = verifiedStore(store, origin);
  await verified.head();
  expect(await noted()).toEqual([]);
  await append(verified);
  await expect.poll(noted).toEqual([{ kind: 'eventstoredb', first_event: await firstOf(store) }]);
  await origin.verify();
});

test('the empty log of another kind is refused before anything is appended, by a line that names both', async () => {
  const { store } = await onServer();
  await append(verifiedStore(store, originOf(store, 'eventstoredb')));
  await expect.poll(noted).toHaveLength(1);
  const other = await testDatabase();
  const empty = createEmbeddedEventStore({ pool: other.pool, connectionString: other.url, dataKey });
  opened.push(empty.close, other.close);
  const wrong = verifiedStore(empty, originOf(empty, 'embedded'));
  const first = await firstOf(store);
  await expect(append(wrong)).rejects.toThrow(
    `that of this installation is on EventStoreDB (eventstoredb) and begins with event ${first}, this one is in the database (embedded) and is empty. Nothing was changed: set EVENTSTORE_URL as before.`,
  );
  expect(await empty.head()).toBe(START);
  await expect(
    wrong
      .subscribeAll(START, { signal: AbortSignal.timeout(1_000) })
      [Symbol.asyncIterator]()
      .next(),
  ).rejects.toThrow(WrongLogError);
});

test('a server is not even asked by an installation of the embedded log', async () => {
  await append(embedded);
  await database.pool.query('delete from state.log_identity');
  await originOf(embedded, 'embedded').verify();
  const never = { ...embedded, readAll: () => new Promise<never>(() => {}) };
  await expect(originOf(never, 'eventstoredb').verify()).rejects.toThrow(
    'this one is on EventStoreDB (eventstoredb). Nothing was changed: leave EVENTSTORE_URL out',
  );
});

test('a server with another first event is refused, and an installation of the embedded log on a server', async () => {
  const [own, other] = [await onServer(), await onServer()];
  await append(own.store);
  await append(other.store);
  await originOf(own.store, 'eventstoredb').verify();
  await expect(originOf(other.store, 'eventstoredb').verify()).rejects.toThrow(
    `this one is on EventStoreDB (eventstoredb) and begins with event ${await firstOf(other.store)}`,
  );
  await append(embedded);
  await database.pool.query('delete from state.log_identity');
  await originOf(embedded, 'embedded').verify();
  await expect(originOf(own.store, 'eventstoredb').verify()).rejects.toThrow('leave EVENTSTORE_URL out');
});

test('an installation without a noted log notes the one that its readers fit, and refuses another', async () => {
  const { store } = await onServer();
  const readers = [{ name: 'outbox', position: await append(store, 3) }];
  const other = await onServer();
  await expect(
    originOf(embedded, 'embedded', [{ name: 'outbox', position: '172721' }]).verify(),
  ).rejects.toThrow('another log than this installation has followed: outbox had read up to position 172721');
  for (const restoredToo of [false, true]) {
    const empty = originOf(other.store, 'eventstoredb', readers).verify({ restoredToo });
    await expect(empty).rejects.toThrow(/DATABASE_URL as before$/);
  }
  expect(await noted()).toEqual([]);
  await originOf(store, 'eventstoredb', readers).verify();
  expect(await noted()).toHaveLength(1);
});

test('a log that ends before what was read of it is refused until a restored one is accepted', async () => {
  const { server, store } = await onServer();
  const position = await append(store, 5);
  await originOf(store, 'eventstoredb').verify();
  const restored = await onServer(copyOf(server.log, 3));
  const readers = [
    { name: 'jobs', position },
    { name: 'outbox', position },
    { name: 'accounts', position: await restored.store.head() },
  ];
  const origin = originOf(restored.store, 'eventstoredb', readers);
  await expect(origin.verify()).rejects.toThrow(
    new RegExp(`jobs, outbox had read up to position ${position}.*run: bun run ute log accept-restored$`),
  );
  expect((await origin.lost()).map(({ name }) => name)).toEqual(['jobs', 'outbox']);
  await origin.verify({ restoredToo: true });
});

test('a position inside a longer log at which no event begins is lost too, and an outage is not taken for that', async () => {
  const { server, store } = await onServer();
  const position = await append(store, 5);
  const between = String(BigInt(position) - 1n);
  const origin = originOf(store, 'eventstoredb', [{ name: 'outbox', position: between }]);
  expect(await origin.lost()).toEqual([{ name: 'outbox', position: between }]);
  server.faults.always('read', { kind: 'silence' });
  const sound = originOf(store, 'eventstoredb', [{ name: 'outbox', position }]);
  const asked = await sound.lost().catch((error: unknown) => error);
  expect(asked).toBeInstanceOf(EventStoreUnavailableError);
  expect(asked).not.toBeInstanceOf(WrongLogError);
});

test('while the log is unavailable nothing is reported of it, and it is compared once it answers', async () => {
  const { server, store } = await onServer();
  await append(store);
  const verified = verifiedStore(store, originOf(store, 'eventstoredb'));
  server.kill();
  const unavailable = await verified.head().catch((error: unknown) => error);
  expect(unavailable).toBeInstanceOf(EventStoreUnavailableError);
  expect(unavailable).not.toBeInstanceOf(WrongLogError);
  expect(await noted()).toEqual([]);
  await server.restart();
  await expect.poll(() => verified.head().catch(() => null)).toBe(await store.head());
  expect(await noted()).toHaveLength(1);
});

test('a log that comes back from an outage as another one is refused', async () => {
  const [own, other] = [await onServer(), await onServer()];
  await append(own.store);
  await append(other.store);
  let current = own.store;
  const changing: EventStore = {
    ...own.store,
    readAll: (...wanted) => current.readAll(...wanted),
    head: () => current.head(),
  };
  const verified = verifiedStore(changing, originOf(changing, 'eventstoredb'));
  await verified.head();
  own.server.kill();
  await expect(verified.head()).rejects.toThrow(EventStoreUnavailableError);
  current = other.store;
  verified.forget();
  await expect(verified.head()).rejects.toThrow(WrongLogError);
});

test('of two logs that are noted at once one is refused', async () => {
  const [one, other] = [await onServer(), await onServer()];
  await append(one.store);
  await append(other.store);
  const outcomes = await Promise.allSettled(
    [one, other].map(({ store }) => originOf(store, 'eventstoredb').verify()),
  );
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await noted()).toHaveLength(1);
});

test('a call that failed while the server is there has nothing compared again', async () => {
  const { store } = await onServer();
  await append(store);
  const origin = originOf(store, 'eventstoredb');
  let compared = 0;
  const verify = () => {
    compared += 1;
    return origin.verify();
  };
  let isLate = false;
  const head = async () => {
    if (isLate) throw new EventStoreUnavailableError('late');
    return store.head();
  };
  const verified = verifiedStore({ ...store, head }, { ...origin, verify });
  await verified.head();
  isLate = true;
  await expect(verified.head()).rejects.toThrow(EventStoreUnavailableError);
  isLate = false;
  await verified.head();
  expect(compared).toBe(1);
});

test('an append does not wait for the note', async () => {
  const { store } = await onServer();
  const note = () => new Promise<void>(() => {});
  const verified = verifiedStore(store, { ...originOf(store, 'eventstoredb'), note });
  expect(await append(verified)).toBe(await store.head());
});
