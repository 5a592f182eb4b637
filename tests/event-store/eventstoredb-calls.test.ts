import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyChain } from '#core/event-store/chain.ts';
import { createEventStoreDbEventStore } from '#core/event-store/eventstoredb/event-store.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { type JobCommand, jobDecider } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { rejections } from '#tests/support/servers/eventstoredb/server-log.ts';
import { openRaw } from '#tests/support/servers/eventstoredb/stages.ts';
import { type StandIn, startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';
import { cause, eventId, newJobStream, notes, samples } from './samples.ts';

const APPENDS = 200;
const businessId = 'b1';

let database: TestDatabase;
let server: StandIn;
let store: ReturnType<typeof createEventStoreDbEventStore>;
/** As another process has it. */
let twin: typeof store;
beforeAll(async () => {
  [database, server] = await Promise.all([testDatabase(), startStandIn()]);
  const url = `esdb://${server.host}:${server.port}?tls=false`;
  const timeouts = { request: 10_000, page: 20_000 };
  const options = { url, pool: database.pool, dataKey: randomBytes(32), timeouts };
  [store, twin] = [createEventStoreDbEventStore(options), createEventStoreDbEventStore(options)];
});
afterAll(async () => {
  await Promise.all([store?.close(), twin?.close()]);
  server?.kill();
  await database?.close();
});

let before: { append: number; read: number };
beforeEach(async () => {
  await store.warmUp();
  before = { append: server.faults.count('append'), read: server.faults.count('read') };
});
const calls = () => ({
  append: server.faults.count('append') - before.append,
  read: server.faults.count('read') - before.read,
});

/** Every chain on the server, followed from its first event. */
async function chainFits(): Promise<boolean> {
  const log = openRaw(server);
  const report = await verifyChain(await log.readAll('0', 100_000));
  await log.close();
  return report.broken === null;
}

test(`${APPENDS} commands make ${APPENDS} appends, and no reads but those that they decide on`, async () => {
  const jobId = randomUUID();
  const stream = streamName('job', jobId);
  const event = { ...samples.JobRequested, data: { ...samples.JobRequested.data, jobId } };
  await store.append(stream, 'no-stream', [{ id: eventId(stream, 0), event }], cause);
  before = { append: server.faults.count('append'), read: server.faults.count('read') };
  for (let n = 0; n < APPENDS; n += 1) {
    const data = { jobId, businessId, notes: `note ${n}` };
    const command: JobCommand = { type: 'ChangeJobNotes', at: '2026-11-20T02:00:00.000Z', data };
    const context = { commandId: randomUUID(), actor: 'account:a1', correlation: 'request-1' };
    const { revision } = await handleCommand(store, jobDecider, stream, command, context);
    expect(revision).toBe(n + 1);
  }
  expect(calls()).toEqual({ append: APPENDS, read: APPENDS });
  expect(await chainFits()).toBe(true);
});

test(`${APPENDS} appends that follow each other read nothing`, async () => {
  const stream = newJobStream();
  for (let n = 0; n < APPENDS; n += 1) {
    await store.append(stream, n === 0 ? 'no-stream' : n - 1, [notes(stream, n)], cause);
  }
  expect(calls()).toEqual({ append: APPENDS, read: 0 });
  expect(await chainFits()).toBe(true);
});

test('after an append that had to be repeated, or that repeated another, the end is read again', async () => {
  const stream = newJobStream();
  await store.append(stream, 'no-stream', [notes(stream, 0)], cause);
  server.faults.once('append', { kind: 'reject', error: rejections.unavailable, applied: true });
  await store.append(stream, 0, [notes(stream, 1)], cause);
  await store.append(stream, 1, [notes(stream, 2)], cause);
  expect(calls().read).toBe(1);
  const other = { ...cause, correlation: 'request-2' };
  const twins = [cause, other].map((how) => store.append(stream, 2, [notes(stream, 3)], how));
  expect((await Promise.all(twins)).map(({ revision }) => revision)).toEqual([3, 3]);
  await store.append(stream, 3, [notes(stream, 4)], cause);
  expect(calls().read).toBe(2);
  expect(await chainFits()).toBe(true);
});

test('commands that two processes give at once stand once, in a chain that fits', async () => {
  const jobId = randomUUID();
  const stream = streamName('job', jobId);
  const event = { ...samples.JobRequested, data: { ...samples.JobRequested.data, jobId } };
  await store.append(stream, 'no-stream', [{ id: eventId(stream, 0), event }], cause);
  await twin.head();
  for (let n = 0; n < 20; n += 1) {
    const data = { jobId, businessId, notes: `note ${n}` };
    const command: JobCommand = { type: 'ChangeJobNotes', at: '2026-11-20T02:00:00.000Z', data };
    const context = { commandId: randomUUID(), actor: 'account:a1', correlation: 'request-1' };
    await Promise.all([store, twin].map((one) => handleCommand(one, jobDecider, stream, command, context)));
  }
  expect(await store.readStream(stream)).toHaveLength(21);
  expect(await chainFits()).toBe(true);
});

test('an end that the stream has left behind is a conflict that names the actual revision', async () => {
  const stream = newJobStream();
  await store.append(stream, 'no-stream', [notes(stream, 0), notes(stream, 1)], cause);
  const [first] = await store.readStream(stream);
  const end = { revision: 0, hash: first?.metadata.hash ?? '' };
  const failure = store.append(stream, end, [notes(stream, 'late')], cause);
  await expect(failure).rejects.toMatchObject({ expected: 0, actual: 1 });
  expect(await chainFits()).toBe(true);
});
