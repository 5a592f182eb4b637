import { expect, test } from 'vitest';
import { createConnection } from '#core/event-store/eventstoredb/connection.ts';
import { createHead } from '#core/event-store/eventstoredb/pages.ts';
import { type Feed, openFeed } from '#core/event-store/eventstoredb/subscription.ts';
import { START } from '#core/event-store/port.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import {
  fill,
  own,
  places,
  subscriptionStage,
  takeUntil,
  timeouts,
} from '#tests/support/servers/eventstoredb/stages.ts';
import { newJobStream } from './samples.ts';

const stage = subscriptionStage();

test('a feed that says nothing while the log grows is found out', async () => {
  const server = await stage.start();
  const log = stage.open(server, { silence: 200 });
  const stream = newJobStream();
  fill(server, stream, 1);
  server.faults.always('subscribe', { kind: 'silence' });
  const seen = await takeUntil(
    log,
    START,
    (events) => events.length === 3,
    () => fill(server, stream, 1),
  );
  expect(places(seen)).toEqual(places(own(server)));
});

test('events that are not ours are passed over, however many there are', async () => {
  const server = await stage.start();
  const log = stage.open(server, { silence: 100 });
  const stream = newJobStream();
  fill(server, stream, 2);
  const foreign = { id: crypto.randomUUID(), type: 'Other', contentType: 'application/json' };
  const bytes = { data: Buffer.from('{}'), metadata: Buffer.alloc(0) };
  const others = () => {
    const events = Array.from({ length: 1_200 }, () => ({ ...foreign, id: crypto.randomUUID(), ...bytes }));
    server.log.append('somebody-else', 'any', events);
  };
  others();
  const last = places(own(server).filter((event) => event.stream === stream)).at(-1);
  expect(await log.head()).toBe(last);
  expect(await log.head()).toBe(last);
  expect(places(await log.readAll(START, 10))).toHaveLength(2);
  const seen = await takeUntil(
    log,
    START,
    (events) => events.length === 4,
    () => {
      others();
      fill(server, stream, 2);
    },
  );
  expect(seen.map(({ revision }) => revision)).toEqual([0, 1, 2, 3]);
});

test('a slow reader falls back to pages, and misses nothing', async () => {
  const server = await stage.start();
  const log = stage.open(server, { queue: 60 });
  const stream = newJobStream();
  const sizes: number[] = [];
  const seen: RawEvent[] = [];
  let floods = 0;
  for await (const message of log.subscribeAll(START, { batch: 20, signal: new AbortController().signal })) {
    if (message.kind === 'caught-up') {
      if (floods === 3) break;
      // One event comes by the feed; while the reader holds it, a thousand more do.
      fill(server, stream, 1);
      continue;
    }
    seen.push(...message.events);
    sizes.push(message.events.length);
    if (seen.length !== floods * 1_001 + 1) continue;
    floods += 1;
    fill(server, stream, 1_000);
    for (let n = 0; n < 5; n += 1) await log.head();
  }
  expect(places(seen)).toEqual(places(own(server)));
  expect(seen).toHaveLength(3 * 1_001);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
  expect(server.faults.count('subscribe')).toBe(3);
});

test('a feed that no reader takes from is given up at its bound', async () => {
  const server = await stage.start();
  const connection = createConnection(`esdb://${server.host}:${server.port}?tls=false`, {
    ...timeouts,
    renewal: 5_000,
  });
  stage.defer(() => connection.close());
  const stream = newJobStream();
  fill(server, stream, 5_000);
  const reached = await connection.exchange(async (current) => current);
  const feed = await new Promise<Feed>((resolve) => {
    const opened = openFeed(reached, START, 60, () => {
      if (opened.end()) resolve(opened);
    });
  });
  fill(server, stream, 1_000);
  await createHead(connection)();
  expect(feed.end()).toBe('overflowed');
  expect(places(feed.take(10_000))).toEqual(places(own(server).slice(0, 60)));
  expect(feed.take(10_000)).toEqual([]);
});
