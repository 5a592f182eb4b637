import { expect, test } from 'vitest';
import { START } from '#core/event-store/port.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import {
  fill,
  openRaw,
  own,
  places,
  subscriptionStage,
  takeUntil,
  timeouts,
} from '#tests/support/servers/eventstoredb/stages.ts';
import { tcpGate } from '#tests/support/servers/outages.ts';
import { newJobStream } from './samples.ts';

const stage = subscriptionStage();

test('killed and restarted again and again under a subscription: nothing lost, nothing twice', async () => {
  const server = await stage.start();
  const log = stage.open(server);
  const stream = newJobStream();
  fill(server, stream, 300);
  let rounds = 0;
  const seen = await takeUntil(
    log,
    START,
    (events) => rounds === 4 && events.length === own(server).length,
    async (events) => {
      if (rounds === 4 || events.length === 0) return;
      rounds += 1;
      server.kill();
      fill(server, stream, 150);
      await server.restart();
    },
  );
  expect(seen).toHaveLength(900);
  expect(places(seen)).toEqual(places(own(server)));
});

test('a subscription that lives from its feed resumes after a kill', async () => {
  const server = await stage.start();
  const log = stage.open(server);
  const stream = newJobStream();
  fill(server, stream, 1);
  const seen = await takeUntil(
    log,
    START,
    (events) => events.length === 5,
    async () => {
      server.kill();
      await server.restart();
      fill(server, stream, 1);
    },
  );
  expect(places(seen)).toEqual(places(own(server)));
});

test('a feed that ends without an error is taken for a drop', async () => {
  const server = await stage.start();
  const log = stage.open(server);
  const stream = newJobStream();
  fill(server, stream, 3);
  for (let n = 0; n < 3; n += 1) server.faults.once('subscribe', { kind: 'end', after: 1 });
  const seen = await takeUntil(
    log,
    START,
    (events) => events.length >= 9,
    () => fill(server, stream, 2),
  );
  expect(places(seen)).toEqual(places(own(server).slice(0, seen.length)));
  expect(server.faults.count('subscribe')).toBeGreaterThanOrEqual(2);
});

test('a reader that was disconnected for thousands of events goes on from its checkpoint', async () => {
  const server = await stage.start();
  const log = stage.open(server);
  const streams = Array.from({ length: 5 }, newJobStream);
  for (const stream of streams) fill(server, stream, 100);
  const before = await takeUntil(log, START, (events) => events.length >= 500);
  const checkpoint = before.at(-1)?.position ?? START;
  server.kill();
  for (const stream of streams) fill(server, stream, 1_500);
  await server.restart();
  const restarted = stage.open(server);
  const after: RawEvent[] = await takeUntil(
    restarted,
    checkpoint,
    (events) => events.length === 7_500,
    undefined,
    500,
  );
  expect(places([...before, ...after])).toEqual(places(own(server)));
});

test('a subscription starts while the server is unavailable, and runs when it comes', async () => {
  const server = await stage.start();
  const stream = newJobStream();
  fill(server, stream, 2);
  server.kill();
  const taken = takeUntil(stage.open(server), START, (events) => events.length === 2);
  await server.restart();
  expect(places(await taken)).toEqual(places(own(server)));
});

test('a connection that is cut between us and a server that lives on is found again', async () => {
  const server = await stage.start();
  const gate = await tcpGate(`http://127.0.0.1:${server.port}`);
  stage.defer(() => gate.close());
  const log = stage.open({ host: 'localhost', port: Number(new URL(gate.url).port) });
  const stream = newJobStream();
  fill(server, stream, 1);
  let cuts = 0;
  const seen = await takeUntil(
    log,
    START,
    (events) => events.length === 4,
    () => {
      cuts += 1;
      gate.shut();
      fill(server, stream, 1);
      gate.open();
    },
  );
  expect(cuts).toBe(3);
  expect(places(seen)).toEqual(places(own(server)));
});

test('closing the log ends its subscriptions without an error', async () => {
  const server = await stage.start();
  const log = openRaw(server, { timeouts });
  const messages = log.subscribeAll(START, { signal: new AbortController().signal })[Symbol.asyncIterator]();
  expect((await messages.next()).value).toMatchObject({ kind: 'caught-up', position: START });
  const next = messages.next();
  await log.close();
  expect((await next).done).toBe(true);
});
