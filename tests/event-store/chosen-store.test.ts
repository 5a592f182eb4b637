import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEventStore } from '#api/runtime/event-log.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { type StandIn, startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';
import { cause, newJobStream, notes } from './samples.ts';

let database: TestDatabase;
let server: StandIn;
const [data, token, claim, botCheck] = [1, 2, 3, 4].map(() => randomBytes(32)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];
const keys = { data, token, claim, botCheck };

beforeAll(async () => {
  [database, server] = await Promise.all([testDatabase(), startStandIn()]);
});
afterAll(async () => {
  server?.kill();
  await database?.close();
});

const inDatabase = async () =>
  (await database.pool.query('select count(*)::int as amount from event_store.events')).rows[0].amount;
const onServer = (stream: string) => server.log.stream(stream).length;

test.each([
  ['without an address the log is in the database', false],
  ['with an address it is on the server, and the keys stay in the database', true],
])('%s', async (_, isRemote) => {
  const eventStoreUrl = `esdb://${server.host}:${server.port}?tls=false`;
  const store = await openEventStore(
    { keys, ...(isRemote ? { eventStoreUrl } : {}) },
    { log: database.pool, url: database.url },
  );
  const before = await inDatabase();
  const stream = newJobStream();
  const event = notes(stream, 0, 'Ring twice');
  await store.append(stream, 'no-stream', [event], cause);
  expect([onServer(stream), (await inDatabase()) - before]).toEqual(isRemote ? [1, 0] : [0, 1]);
  expect((await store.readStream(stream))[0]?.event).toEqual(event.event);
  const stored = Buffer.concat(server.log.stream(stream).map((stands) => stands.data)).toString();
  expect(stored).not.toContain('Ring twice');
  await store.close();
});
