import { expect, test } from 'vitest';
import { WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { cause, eventId, newJobStream, notes, samples } from '#tests/event-store/samples.ts';
import type { Seed } from './subject.ts';

/** Expected revisions, repeats, all or nothing. */
export function appending(store: () => EventStore, seed: Seed): void {
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

  test('an append tied to the end that was read follows it, and is a conflict where the stream has moved', async () => {
    const stream = newJobStream();
    await seed(stream, 2);
    const last = (await store().readStream(stream)).at(-1);
    const end = { revision: 1, hash: last?.metadata.hash ?? '' };
    expect((await store().append(stream, end, [notes(stream, 'c')], cause)).revision).toBe(2);
    const failure = await store()
      .append(stream, end, [notes(stream, 'late')], cause)
      .catch((error) => error);
    expect(failure).toBeInstanceOf(WrongExpectedRevisionError);
    expect(failure).toMatchObject({ stream, expected: 1, actual: 2 });
    expect(await store().readStream(stream)).toHaveLength(3);
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
