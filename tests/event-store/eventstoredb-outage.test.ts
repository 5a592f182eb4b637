import { afterEach, expect, test } from 'vitest';
import {
  EventStoreUnavailableError,
  UnstorableEventError,
  WrongExpectedRevisionError,
} from '#core/event-store/errors.ts';
import { EventStoreRefusedError } from '#core/event-store/eventstoredb/failures.ts';
import { START } from '#core/event-store/port.ts';
import { type Fault, rejections } from '#tests/support/servers/eventstoredb/server-log.ts';
import { openRaw, rawEvent, rawEvents } from '#tests/support/servers/eventstoredb/stages.ts';
import { type StandIn, startStandIn } from '#tests/support/servers/eventstoredb/stand-in.ts';
import { newJobStream } from './samples.ts';

type Opened = { server: StandIn; log: ReturnType<typeof openRaw> };
const opened: Opened[] = [];

/** Slow machines are no outage; where one is awaited, three seconds must do. */
const patient = { request: 10_000, page: 10_000 };
const shortTimeouts = { request: 3_000, page: 3_000 };

async function open(timeouts = patient): Promise<Opened> {
  const server = await startStandIn();
  const log = openRaw(server, { timeouts });
  await log.warmUp();
  opened.push({ server, log });
  return { server, log };
}

afterEach(async () => {
  for (const { server, log } of opened.splice(0)) {
    await log.close();
    server.kill();
  }
});

const silence: Fault = { kind: 'silence' };

/** The first answer of a server that is well again: on a busy machine it may still take longer than a call waits. */
async function answered<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof EventStoreUnavailableError) || tries === 10) throw error;
    }
  }
}

test('an append whose answer is lost is repeated with the same ids and stands once', async () => {
  const { server, log } = await open(shortTimeouts);
  const stream = newJobStream();
  server.faults.once('append', { kind: 'silence', applied: true });
  const { revision, position } = await log.append(stream, 'no-stream', rawEvents(stream, 2));
  expect(revision).toBe(1);
  expect(server.faults.count('append')).toBe(2);
  expect(server.log.stream(stream)).toHaveLength(2);
  expect(position).toBe(String(server.log.stream(stream).at(-1)?.position));
});

test('an append that was cut off after it happened is repeated too', async () => {
  const { server, log } = await open();
  const stream = newJobStream();
  server.faults.once('append', { kind: 'reject', error: rejections.unavailable, applied: true });
  expect((await log.append(stream, 'no-stream', [rawEvent(stream, 0)])).revision).toBe(0);
  expect(server.log.stream(stream)).toHaveLength(1);
});

test('a server that never answers is given up in time, by every call', async () => {
  const { server, log } = await open(shortTimeouts);
  for (const call of ['append', 'read'] as const) server.faults.always(call, silence);
  const stream = newJobStream();
  const calls = {
    append: () => log.append(stream, 'no-stream', [rawEvent(stream, 0)]),
    readStream: () => log.readStream(stream, 0),
    lastRevision: () => log.lastRevision(stream),
    readAll: () => log.readAll(START, 10),
    head: () => log.head(),
    warmUp: () => log.warmUp(),
  };
  const given = await Promise.allSettled(Object.values(calls).map((call) => call()));
  for (const outcome of given) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(EventStoreUnavailableError) });
  }
  server.faults.calm();
  for (const call of Object.values(calls)) await answered<unknown>(call);
});

test('a lost answer says nothing of freshness, and the outcome stays unknown after the last try', async () => {
  const { server, log } = await open(shortTimeouts);
  const stream = newJobStream();
  server.faults.always('append', { kind: 'silence', applied: true });
  const events = [rawEvent(stream, 0)];
  await expect(log.append(stream, 'no-stream', events)).rejects.toThrow(EventStoreUnavailableError);
  server.faults.calm();
  const again = await answered(() => log.append(stream, 'no-stream', events));
  expect(again).toMatchObject({ revision: 0, fresh: false });
  expect(server.log.stream(stream)).toHaveLength(1);
});

test.each([
  ['not ready', rejections.unavailable],
  ['too busy', rejections.busy],
  ['past its deadline', rejections.deadline],
  ['timed out', rejections.timeout],
  ['cancelled', rejections.cancelled],
  ['failing without a reason', rejections.unknown],
  ['broken on the way', rejections.internal],
])('a server that is %s is tried again, then called unavailable', async (_, error) => {
  const { server, log } = await open();
  const stream = newJobStream();
  for (const call of ['append', 'read'] as const) server.faults.once(call, { kind: 'reject', error });
  await log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
  expect(await log.readStream(stream, 0)).toHaveLength(1);
  for (const call of ['append', 'read'] as const) server.faults.always(call, { kind: 'reject', error });
  await expect(log.append(stream, 0, [rawEvent(stream, 1)])).rejects.toThrow(EventStoreUnavailableError);
  await expect(log.readAll(START, 5)).rejects.toThrow(EventStoreUnavailableError);
});

test.each([
  ['denies access', rejections.accessDenied],
  ['does not know us', rejections.unauthenticated],
])('a server that %s is not asked twice', async (_, error) => {
  const { server, log } = await open();
  const stream = newJobStream();
  server.faults.always('append', { kind: 'reject', error });
  await expect(log.append(stream, 'no-stream', [rawEvent(stream, 0)])).rejects.toThrow(
    EventStoreRefusedError,
  );
  expect(server.faults.count('append')).toBe(1);
});

test('a conflict names the actual revision, however often the server was asked', async () => {
  const { server, log } = await open(shortTimeouts);
  const stream = newJobStream();
  await log.append(stream, 'no-stream', rawEvents(stream, 3));
  server.faults.once('append', silence);
  const failure = await log.append(stream, 0, [rawEvent(stream, 'late')]).catch((error) => error);
  expect(failure).toBeInstanceOf(WrongExpectedRevisionError);
  expect(failure).toMatchObject({ expected: 0, actual: 2 });
});

test('what no second try can change is thrown as it is', async () => {
  const { server, log } = await open();
  const stream = newJobStream();
  const append = () => log.append(stream, 'no-stream', [rawEvent(stream, 0)]);
  server.faults.once('append', { kind: 'reject', error: rejections.tooLarge });
  await expect(append()).rejects.toThrow(UnstorableEventError);
  server.faults.once('append', { kind: 'reject', error: rejections.deleted(stream) });
  await expect(append()).rejects.not.toThrow(EventStoreUnavailableError);
  expect(server.faults.count('append')).toBe(2);
});

test('while the server is down every call says so, and the first one after its return works', async () => {
  const { server, log } = await open();
  const stream = newJobStream();
  server.kill();
  await expect(log.append(stream, 'no-stream', [rawEvent(stream, 0)])).rejects.toThrow(
    EventStoreUnavailableError,
  );
  await expect(log.readStream(stream, 0)).rejects.toThrow(EventStoreUnavailableError);
  await expect(log.head()).rejects.toThrow(EventStoreUnavailableError);
  await server.restart();
  expect((await log.append(stream, 'no-stream', [rawEvent(stream, 0)])).revision).toBe(0);
});

test('a hundred appends at once on a new connection all arrive', async () => {
  const { log } = await open();
  const streams = Array.from({ length: 100 }, newJobStream);
  const results = await Promise.all(
    streams.map((stream) => log.append(stream, 'no-stream', [rawEvent(stream, 0)])),
  );
  expect(results.every(({ revision }) => revision === 0)).toBe(true);
});

test('appends share one call, and one without an answer holds up none of the others', async () => {
  const { server, log } = await open(shortTimeouts);
  const streams = Array.from({ length: 40 }, newJobStream);
  server.faults.once('append', { kind: 'silence', applied: true });
  const results = await Promise.all(
    streams.map((stream) => log.append(stream, 'no-stream', rawEvents(stream, 2))),
  );
  expect(results.every(({ revision }) => revision === 1)).toBe(true);
  expect(server.faults.count('append')).toBe(streams.length + 1);
  expect(server.faults.count('batch')).toBe(1);
  for (const stream of streams) expect(server.log.stream(stream)).toHaveLength(2);
});

test('a call that says nothing more is opened anew, and what was sent on it is repeated', async () => {
  const { server, log } = await open(shortTimeouts);
  const streams = Array.from({ length: 5 }, newJobStream);
  server.faults.once('batch', silence);
  const results = await Promise.all(
    streams.map((stream) => log.append(stream, 'no-stream', [rawEvent(stream, 0)])),
  );
  expect(results.every(({ revision }) => revision === 0)).toBe(true);
  expect(server.faults.count('batch')).toBe(2);
  expect(server.faults.count('append')).toBe(streams.length);
});

test('more appends than the server is sent at once arrive in the end, in order for each stream', async () => {
  const { server, log } = await open();
  const streams = Array.from({ length: 300 }, newJobStream);
  server.faults.once('append', { kind: 'slow', ms: 200 });
  await Promise.all(
    streams.flatMap((stream) =>
      (['no-stream', 0] as const).map((expected, n) => log.append(stream, expected, [rawEvent(stream, n)])),
    ),
  );
  expect(server.faults.count('batch')).toBe(1);
  for (const stream of streams) {
    expect(server.log.stream(stream).map(({ id }) => id)).toEqual(rawEvents(stream, 2).map(({ id }) => id));
  }
});

test('an answer is known by its id in either form', async () => {
  const { server, log } = await open();
  const stream = newJobStream();
  server.faults.always('append', { kind: 'reject', error: rejections.timeout });
  // Said by the server, not by our own clock.
  await expect(log.append(stream, 'no-stream', [rawEvent(stream, 0)])).rejects.toThrow(/Timeout/);
});

test('an append that takes several messages is one append', async () => {
  const { server, log } = await open();
  const stream = newJobStream();
  const events = Array.from({ length: 5 }, (_, n) => rawEvent(stream, n, 700 * 1024));
  expect((await log.append(stream, 'no-stream', events)).revision).toBe(4);
  expect(server.faults.count('append')).toBe(1);
  expect((await log.readStream(stream, 0)).map(({ data }) => data)).toEqual(events.map(({ data }) => data));
});

test('an event of 900 KB passes: smaller ones are our own rule', async () => {
  const { log } = await open();
  const stream = newJobStream();
  const event = rawEvent(stream, 0, 900 * 1024);
  await log.append(stream, 'no-stream', [event]);
  expect((await log.readStream(stream, 0))[0]?.data).toEqual(event.data);
});
