import { expect, test } from 'vitest';
import { WrongExpectedRevisionError } from '#core/event-store/errors.ts';
import type { EventStore, ExpectedRevision } from '#core/event-store/port.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { cause, newJobStream, notes } from '#tests/event-store/samples.ts';
import { follow } from '#tests/event-store/subscriber.ts';
import { expectOrdered } from './order.ts';

const WRITERS = 8;
/** Appends per writer; the full measure is 2000. */
const APPENDS = Number(process.env['EVENTSTORE_TEST_APPENDS'] ?? 150);

/** Many writers at once. */
export function crowding(store: () => EventStore): void {
  test(`${WRITERS} writers and a reader at their heels: none lost, none twice, each stream in order`, async () => {
    const before = await store().head();
    const follower = follow(store(), before, { batch: 50 });
    const shared = newJobStream();
    const written = await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const own = newJobStream();
        const ids: string[] = [];
        const ends = new Map<StreamName, ExpectedRevision>();
        for (let n = 0; n < APPENDS; n += 1) {
          const stream = n % 2 === 0 ? own : shared;
          const event = notes(stream, `${writer}-${n}`);
          const end = ends.get(stream) ?? 'no-stream';
          ends.set(stream, await appendAtEnd(store(), stream, event, end));
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

/** Answers the revision of the event. A writer expects what it wrote last, and is refused when another was faster. */
async function appendAtEnd(
  store: EventStore,
  stream: StreamName,
  event: ReturnType<typeof notes>,
  end: ExpectedRevision,
): Promise<number> {
  let expected = end;
  for (;;) {
    try {
      return (await store.append(stream, expected, [event], cause)).revision;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      expected = error.actual;
    }
  }
}
