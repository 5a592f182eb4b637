import { expect, test, vi } from 'vitest';
import { START } from '#core/event-store/port.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { collect, follow } from '#tests/event-store/subscriber.ts';
import type { Seed, Subject } from './subject.ts';

/** From anywhere, for ever, through cuts, at the pace of the reader. */
export function subscribing(subject: () => Subject, seed: Seed): void {
  const store = () => subject().store;

  test('a subscriber at the start sees the whole log, then learns that it has caught up', async () => {
    await seed(newJobStream(), 7);
    const head = await store().head();
    const seen = await collect(store(), START, { batch: 10 }, ({ caughtUp }) => caughtUp !== null);
    expect(seen.events).toEqual(await store().readAll(START, 100_000));
    expect(seen.caughtUp).toBe(head);
  });

  test('a subscriber in the middle sees what comes after', async () => {
    const { position } = await seed(newJobStream(), 3);
    await seed(newJobStream(), 4);
    const seen = await collect(store(), position, {}, ({ caughtUp }) => caughtUp !== null);
    expect(seen.events.map((event) => event.revision)).toEqual([0, 1, 2, 3]);
  });

  test('a subscriber at the head learns at once that it has caught up, then sees new events', async () => {
    const follower = follow(store(), await store().head());
    await follower.until(({ caughtUp }) => caughtUp !== null);
    const { position } = await seed(newJobStream(), 2);
    await follower.until(({ caughtUp }) => caughtUp === position);
    expect(follower.seen.events).toHaveLength(2);
    await follower.stop();
  });

  test('a filter hides other categories, and positions move on all the same', async () => {
    const before = await store().head();
    const { position } = await seed(newJobStream(), 25);
    const filter = { categories: ['account'] } as const;
    const seen = await collect(store(), before, { filter, batch: 10 }, ({ caughtUp }) => caughtUp !== null);
    expect(seen.events).toEqual([]);
    expect(seen.caughtUp).toBe(position);
    expect(seen.positions.length).toBeGreaterThan(1);
  });

  test('an aborted subscription ends without an error', async () => {
    const follower = follow(store(), await store().head());
    await follower.until(({ caughtUp }) => caughtUp !== null);
    await follower.stop();
  });

  test('a subscriber outlives the connections of the store: nothing lost, nothing twice', async () => {
    const before = await store().head();
    const follower = follow(store(), before, { batch: 10 });
    await seed(newJobStream(), 30);
    await follower.until(({ events }) => events.length >= 10);
    await subject().cutConnections();
    const stream = newJobStream();
    const events = [notes(stream, 0)];
    await retry(() => store().append(stream, 'no-stream', events, cause));
    await follower.until(({ events }) => events.some((event) => event.stream === stream));
    expect(follower.seen.events).toEqual(await store().readAll(before, 1000));
    await follower.stop();
  });

  test('a slow reader is waited for: batches stay as small as it asked', async () => {
    const before = await store().head();
    await seed(newJobStream(), 200);
    const controller = new AbortController();
    const sizes: number[] = [];
    for await (const message of store().subscribeAll(before, { batch: 20, signal: controller.signal })) {
      if (message.kind === 'caught-up') break;
      sizes.push(message.events.length);
      await store().head();
    }
    controller.abort();
    expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200);
  });
}

/** Until it is done: of the connections that were cut, several may still be taken for whole. */
function retry<T>(work: () => Promise<T>): Promise<T> {
  return vi.waitFor(work, { timeout: 30_000 });
}
