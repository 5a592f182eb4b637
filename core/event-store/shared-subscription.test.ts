import { afterEach, expect, test, vi } from 'vitest';
import { comparePositions, type EventStore, type Position, type RecordedEvent, START } from './port.ts';
import { shareSubscriptions, TAIL, TAIL_AGE_MS } from './shared-subscription.ts';
import { createWakeUp } from './waiting.ts';

type Subscribe = EventStore['subscribeAll'];

const categories = ['job', 'account', 'business'] as const;

function eventAt(n: number): RecordedEvent {
  const stream = `${categories[n % categories.length]}-${n % 7}` as RecordedEvent['stream'];
  const metadata = { at: '', actor: 'system', causation: '', correlation: '', hash: '' };
  return { position: String(n), stream, revision: n, id: String(n), type: 'Any', schema: 1, metadata };
}

/** A log in memory; `opened` counts the subscriptions of its own, `delivered` the events that they read. */
function setUp() {
  const events: RecordedEvent[] = [];
  const wakeUp = createWakeUp();
  const seen = { opened: 0, open: 0, delivered: 0, failNext: false };
  /** While it is there, a subscription that a reader leaves does not end. */
  const ending: { held?: Promise<void> | undefined; waits: number } = { waits: 0 };
  const alone: Subscribe = async function* (after, { filter, batch = 500, signal }) {
    seen.opened += 1;
    seen.open += 1;
    let position = after;
    let announced: Position | null = null;
    try {
      while (!signal.aborted) {
        const generation = wakeUp.generation();
        await Promise.resolve();
        if (seen.failNext) {
          seen.failNext = false;
          throw new Error('the log fails');
        }
        const page = events.slice(Number(position), Number(position) + batch);
        seen.delivered += page.length;
        position = page.at(-1)?.position ?? position;
        const wanted = page.filter(({ stream }) => isWanted(stream, filter?.categories));
        if (wanted.length > 0) yield { kind: 'events', events: wanted, position };
        if (page.length === batch) continue;
        if (announced !== position) yield { kind: 'caught-up', position };
        announced = position;
        await wakeUp.sleep(generation, 10_000, signal);
      }
    } finally {
      seen.open -= 1;
      if (ending.held) {
        ending.waits += 1;
        await ending.held;
      }
    }
  };
  const append = (many: number) => {
    for (let n = 0; n < many; n += 1) events.push(eventAt(events.length + 1));
    wakeUp.notify();
  };
  return { append, ending, events, seen, wakeUp, subscribe: shareSubscriptions(alone) };
}

afterEach(() => void vi.useRealTimers());

const isWanted = (stream: string, wanted?: readonly string[]) =>
  wanted?.some((category) => stream.startsWith(`${category}-`)) ?? true;

/** Follows as projections do; a failure begins anew at the last position. `hold` is awaited with each message. */
function follow(
  subscribe: Subscribe,
  wanted?: (typeof categories)[number],
  hold: () => Promise<unknown> | undefined = () => undefined,
) {
  const stopping = new AbortController();
  const follower = { ids: [] as string[], position: START, caughtUp: START, failures: 0 };
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const filter = wanted ? { categories: [wanted] } : {};
        for await (const message of subscribe(follower.position, { filter, signal: stopping.signal })) {
          expect(comparePositions(message.position, follower.position)).toBeGreaterThanOrEqual(0);
          if (message.kind === 'events') follower.ids.push(...message.events.map(({ id }) => id));
          else follower.caughtUp = message.position;
          follower.position = message.position;
          await hold();
        }
      } catch {
        follower.failures += 1;
      }
    }
  };
  const running = run();
  return {
    ...{ follower },
    at: (position: number) => expect.poll(() => follower.position).toBe(String(position)),
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

test('followers at the end of the log share one subscription, and each event is read once for all', async () => {
  const { append, events, seen, subscribe } = setUp();
  append(30);
  const followers = [...categories, undefined].map((wanted) => follow(subscribe, wanted));
  for (const { at } of followers) await at(30);
  const { opened, delivered } = seen;
  for (let n = 0; n < 20; n += 1) {
    append(3);
    for (const { at } of followers) await at(33 + 3 * n);
  }
  expect(seen).toMatchObject({ opened, open: 1, delivered: delivered + 60 });
  for (const [index, { follower }] of followers.entries()) {
    const wanted = events.filter(({ stream }) => isWanted(stream, categories[index] && [categories[index]]));
    expect(follower.ids).toEqual(wanted.map(({ id }) => id));
    expect(follower.caughtUp).toBe('90');
  }
  for (const { stop } of followers) await stop();
  await expect.poll(() => seen.open).toBe(0);
});

test('one that does not keep up holds up no other, reads by itself, and shares again once it has caught up', async () => {
  const { append, events, seen, subscribe } = setUp();
  let held: PromiseWithResolvers<void> | undefined;
  const slow = follow(subscribe, undefined, () => held?.promise);
  const fast = follow(subscribe);
  append(1);
  for (const { at } of [slow, fast]) await at(1);
  held = Promise.withResolvers();
  for (let n = 0; n < 10; n += 1) {
    append(TAIL / 4);
    await fast.at(1 + (TAIL / 4) * (n + 1));
  }
  expect(Number(slow.follower.position)).toBeLessThan(events.length);
  held.resolve();
  held = undefined;
  await slow.at(events.length);
  append(1);
  for (const { at } of [slow, fast]) await at(events.length);
  expect(slow.follower.ids).toEqual(events.map(({ id }) => id));
  await expect.poll(() => seen.open).toBe(1);
  for (const { stop } of [slow, fast]) await stop();
});

test('a log longer than the memory waits for the fastest follower', async () => {
  const { append, events, seen, subscribe } = setUp();
  let held: PromiseWithResolvers<void> | undefined;
  const only = follow(subscribe, undefined, () => held?.promise);
  append(1);
  await only.at(1);
  held = Promise.withResolvers();
  append(10 * TAIL);
  await expect.poll(() => seen.delivered).toBeGreaterThan(TAIL / 2);
  expect(seen.delivered).toBeLessThanOrEqual(2 * TAIL);
  held.resolve();
  held = undefined;
  await only.at(events.length);
  expect(only.follower.ids).toEqual(events.map(({ id }) => id));
  expect(seen.opened).toBe(2);
  await only.stop();
});

test('a failure of what is shared loses nothing for any of them', async () => {
  const { append, events, seen, wakeUp, subscribe } = setUp();
  const followers = [follow(subscribe), follow(subscribe, 'job')];
  append(9);
  for (const { at } of followers) await at(9);
  seen.failNext = true;
  wakeUp.notify();
  await expect.poll(() => seen.failNext).toBe(false);
  append(9);
  for (const { at } of followers) await at(18);
  expect(followers[0]?.follower.ids).toEqual(events.map(({ id }) => id));
  for (const { stop } of followers) await stop();
});

test('one that is slow to leave its own subscription misses nothing that the others have read meanwhile', async () => {
  const { append, ending, events, subscribe } = setUp();
  const fast = follow(subscribe);
  append(1);
  await fast.at(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  ending.held = promise;
  const joining = follow(subscribe);
  await expect.poll(() => ending.waits).toBe(1);
  for (let n = 0; n < 12; n += 1) {
    append(TAIL / 4);
    await fast.at(1 + (TAIL / 4) * (n + 1));
  }
  ending.held = undefined;
  resolve();
  await joining.at(events.length);
  expect(joining.follower.ids).toEqual(events.map(({ id }) => id));
  for (const { stop } of [joining, fast]) await stop();
});

test('what has been in memory for some seconds is dropped, and a follower that still wanted it reads it again', async () => {
  vi.useFakeTimers();
  const { append, events, seen, subscribe } = setUp();
  let held: PromiseWithResolvers<void> | undefined;
  const slow = follow(subscribe, undefined, () => held?.promise);
  const fast = follow(subscribe);
  append(1);
  for (const { at } of [slow, fast]) await at(1);
  held = Promise.withResolvers();
  append(1);
  for (const { at } of [slow, fast]) await at(2);
  append(3);
  await fast.at(5);
  const { opened } = seen;
  await vi.advanceTimersByTimeAsync(2 * TAIL_AGE_MS);
  held.resolve();
  held = undefined;
  await slow.at(5);
  expect(seen.opened).toBe(opened + 1);
  expect(slow.follower.ids).toEqual(events.map(({ id }) => id));
  for (const { stop } of [slow, fast]) await stop();
});
