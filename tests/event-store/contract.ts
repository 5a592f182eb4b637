import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UnstorableEventError, WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import {
  comparePositions,
  type EventStore,
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
  START,
} from '#core/event-store/port.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { cause, eventId, newJobStream, notes, samples } from './samples.ts';
import { collect, follow } from './subscriber.ts';

/** One log, empty at first, and the means to disturb it. */
export type Subject = Readonly<{
  store: EventStore;
  /** Cuts every connection of the store, as a server that dies does; it can be reached again at once. */
  cutConnections(): Promise<void>;
  close(): Promise<void>;
}>;

const WRITERS = 8;
/** Appends per writer; the full measure is 2000. */
const APPENDS = Number(process.env['EVENTSTORE_TEST_APPENDS'] ?? 150);

/** What every event store must do, whatever is underneath. Registers the tests. */
export function eventStoreContract(name: string, open: () => Promise<Subject>): void {
  describe(`${name}: the event store contract`, () => {
    let subject: Subject;
    let store: EventStore;
    beforeAll(async () => {
      subject = await open();
      store = subject.store;
    });
    afterAll(() => subject?.close());

    const seed = async (stream: StreamName, amount: number) =>
      store.append(
        stream,
        'no-stream',
        Array.from({ length: amount }, (_, n) => notes(stream, n)),
        cause,
      );

    appending(() => store, seed);
    reading(() => store, seed);
    refusing(() => store);
    subscribing(() => subject, seed);
    crowding(() => store);
  });
}

type Seed = (stream: StreamName, amount: number) => Promise<{ revision: number; position: Position }>;

function appending(store: () => EventStore, seed: Seed): void {
  test('a new stream starts at revision 0 and grows by one', async () => {
    const stream = newJobStream();
    expect((await store().append(stream, 'no-stream', [notes(stream, 'a')], cause)).revision).toBe(0);
    expect((await store().append(stream, 0, [notes(stream, 'b'), notes(stream, 'c')], cause)).revision).toBe(
      2,
    );
    expect((await store().readStream(stream)).map(({ revision }) => revision)).toEqual([0, 1, 2]);
  });

  test('what was appended reads back with its cause, its time and its place', async () => {
    const stream = newJobStream();
    const event = samples.JobRequested;
    const { position } = await store().append(
      stream,
      'no-stream',
      [{ id: eventId(stream, 0), event }],
      cause,
    );
    const [recorded] = await store().readStream(stream);
    expect(recorded).toEqual({
      position,
      stream,
      revision: 0,
      id: eventId(stream, 0),
      type: 'JobRequested',
      schema: 1,
      metadata: { ...cause, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      event,
    });
  });

  test.each([
    ['a missing stream expected at 0', 0, 0, 'no-stream'],
    ['a missing stream expected at 7', 0, 7, 'no-stream'],
    ['a stream of three expected not to exist', 3, 'no-stream', 2],
    ['a stream of three expected at 0', 3, 0, 2],
    ['a stream of three expected at 3', 3, 3, 2],
  ] as const)('%s is a conflict that names the actual revision', async (_, amount, expected, actual) => {
    const stream = newJobStream();
    if (amount > 0) await seed(stream, amount);
    const failure = await store()
      .append(stream, expected, [notes(stream, 'late')], cause)
      .catch((error) => error);
    expect(failure).toBeInstanceOf(WrongExpectedRevisionError);
    expect(failure).toMatchObject({ stream, expected, actual });
    expect(await store().readStream(stream)).toHaveLength(amount);
  });

  test('the same ids at the same place again answer the first result', async () => {
    const stream = newJobStream();
    const events = [notes(stream, 'a'), notes(stream, 'b')];
    const first = await store().append(stream, 'no-stream', events, cause);
    expect(await store().append(stream, 'no-stream', events, cause)).toEqual(first);
    await store().append(stream, 1, [notes(stream, 'c')], cause);
    expect(await store().append(stream, 'no-stream', events, cause)).toEqual(first);
    expect(await store().readStream(stream)).toHaveLength(3);
  });

  test('after a repeat the chain goes on from the event that stands in the log', async () => {
    const stream = newJobStream();
    await store().append(stream, 'no-stream', [notes(stream, 'a')], cause);
    await store().append(stream, 'no-stream', [notes(stream, 'a')], { ...cause, correlation: 'again' });
    await store().append(stream, 0, [notes(stream, 'b')], cause);
    const [first, second] = await store().readStream(stream);
    expect(first?.metadata.correlation).toBe('request-1');
    expect(second?.event).toBeDefined();
  });

  test('the same ids at another place, in another order or in a longer batch are a conflict', async () => {
    const stream = newJobStream();
    const [a, b, c] = [notes(stream, 'a'), notes(stream, 'b'), notes(stream, 'c')];
    await store().append(stream, 'no-stream', [a, b], cause);
    for (const [expected, events] of [
      [0, [a]],
      ['no-stream', [b, a]],
      ['no-stream', [a, b, c]],
    ] as const) {
      await expect(store().append(stream, expected, events, cause)).rejects.toThrow(
        WrongExpectedRevisionError,
      );
    }
    expect(await store().readStream(stream)).toHaveLength(2);
  });

  test('an append of nothing is a mistake of the caller', async () => {
    await expect(store().append(newJobStream(), 'no-stream', [], cause)).rejects.toThrow(RangeError);
  });

  test('500 events go in with one append, all or nothing', async () => {
    const stream = newJobStream();
    expect((await seed(stream, 500)).revision).toBe(499);
    const events = Array.from({ length: 500 }, (_, n) => notes(stream, 500 + n));
    await expect(store().append(stream, 3, events, cause)).rejects.toThrow(WrongExpectedRevisionError);
    expect(await store().readStream(stream)).toHaveLength(500);
  });

  test('of two appends at one revision one wins', async () => {
    const stream = newJobStream();
    await seed(stream, 1);
    const attempts = ['x', 'y', 'z'].map((n) => store().append(stream, 0, [notes(stream, n)], cause));
    const outcomes = await Promise.allSettled(attempts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store().readStream(stream)).toHaveLength(2);
  });
}

function reading(store: () => EventStore, seed: Seed): void {
  test('a missing stream reads as empty', async () => {
    expect(await store().readStream(newJobStream())).toEqual([]);
  });

  test('a stream reads from a revision on, that one included', async () => {
    const stream = newJobStream();
    await seed(stream, 5);
    expect((await store().readStream(stream, 3)).map(({ revision }) => revision)).toEqual([3, 4]);
    expect(await store().readStream(stream, 5)).toEqual([]);
  });

  test('pages of the whole log join without loss or repeat, in order', async () => {
    const before = await store().head();
    const stream = newJobStream();
    await seed(stream, 23);
    const whole = await store().readAll(before, 1000);
    const paged: RecordedEvent[] = [];
    for (let after = before; ; after = paged.at(-1)?.position ?? after) {
      const page = await store().readAll(after, 5);
      expect(page.length).toBeLessThanOrEqual(5);
      if (page.length === 0) break;
      paged.push(...page);
    }
    expect(paged).toEqual(whole);
    expect(whole.filter((event) => event.stream === stream)).toHaveLength(23);
    expectOrdered(whole);
    expect(whole.at(-1)?.position).toBe(await store().head());
  });

  test('positions compare as numbers where they grow by a digit', async () => {
    const stream = newJobStream();
    await seed(stream, 120);
    const all = await store().readAll(START, 5000);
    expectOrdered(all);
    const lengths = all.map(({ position }) => position.length);
    expect(Math.max(...lengths)).toBeGreaterThan(Math.min(...lengths));
    for (const index of lengths.keys()) {
      if (index === 0 || lengths[index] === lengths[index - 1]) continue;
      const [last] = all.slice(index - 1, index);
      expect((await store().readAll(last?.position ?? START, 1))[0]?.position).toBe(all[index]?.position);
    }
  });
}

function refusing(store: () => EventStore): void {
  test.each([
    ['NUL', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800b'],
    ['more than 64 KB', 'x'.repeat(70_000)],
  ])('a text with %s is refused before it reaches the log', async (_, text) => {
    const stream = newJobStream();
    const failure = await store()
      .append(stream, 'no-stream', [notes(stream, 0, text)], cause)
      .catch((e) => e);
    expect(failure).toBeInstanceOf(UnstorableEventError);
    expect(failure.message).not.toContain(text.slice(0, 3));
    expect(await store().readStream(stream)).toEqual([]);
  });

  test.each([
    '',
    '𝔘nicode 👩🏽‍🔧 e\u0301 \u202e',
    '\u2028\u2029\ufeff',
    '"\\\b\f\n\r\t',
    '\uffff',
    '__proto__',
    'x'.repeat(60_000),
  ])('the text %j comes back as it went in', async (text) => {
    const stream = newJobStream();
    await store().append(stream, 'no-stream', [notes(stream, 0, text)], cause);
    expect((await store().readStream(stream))[0]?.event?.data).toMatchObject({ notes: text });
  });
}

function subscribing(subject: () => Subject, seed: Seed): void {
  const store = () => subject().store;

  test('a subscriber at the start sees the whole log, then hears that it has caught up', async () => {
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

  test('a subscriber at the head hears at once that it has caught up, then sees new events', async () => {
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

function crowding(store: () => EventStore): void {
  test(`${WRITERS} writers and a reader at their heels: none lost, none twice, each stream in order`, async () => {
    const before = await store().head();
    const follower = follow(store(), before, { batch: 50 });
    const shared = newJobStream();
    const written = await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const own = newJobStream();
        const ids: string[] = [];
        for (let n = 0; n < APPENDS; n += 1) {
          const stream = n % 2 === 0 ? own : shared;
          const event = notes(stream, `${writer}-${n}`);
          await appendAtEnd(store(), stream, event);
          ids.push(event.id);
        }
        return ids;
      }),
    );
    const ids = written.flat();
    await follower.until(({ events }) => events.length >= ids.length);
    await follower.stop();
    const seen = follower.seen.events;
    expect(seen.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expectOrdered(seen);
    expect(seen).toEqual(await store().readAll(before, ids.length + 1));
  }, 120_000);
}

async function appendAtEnd(
  store: EventStore,
  stream: StreamName,
  event: ReturnType<typeof notes>,
): Promise<void> {
  let expected: ExpectedRevision = (await store.readStream(stream)).at(-1)?.revision ?? 'no-stream';
  for (;;) {
    try {
      await store.append(stream, expected, [event], cause);
      return;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      expected = error.actual;
    }
  }
}

async function retry<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return work();
  }
}

function expectOrdered(events: readonly RecordedEvent[]): void {
  const revisions = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const previous = events[index - 1];
    if (previous) expect(comparePositions(previous.position, event.position)).toBeLessThan(0);
    const last = revisions.get(event.stream);
    if (last !== undefined) expect(event.revision).toBe(last + 1);
    revisions.set(event.stream, event.revision);
  }
}
