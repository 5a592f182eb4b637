import { expect, test } from 'vitest';
import { UnstorableEventError } from '#core/event-store/errors.ts';
import type { EventStore } from '#core/event-store/port.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';

/** What must never be stored, and what must come back unchanged. */
export function refusing(store: () => EventStore): void {
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
