import type { ExpectedRevision, Position } from '#core/event-store/port.ts';
import type { NewRawEvent, RawEvent } from '#core/event-store/raw-log.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';

type Outcome = { revision: number; position: Position; fresh: boolean } | { conflict: ExpectedRevision };

/** What a log is, in the fewest words: a list that takes one append after the other. */
export function logModel(start: Position) {
  const log: RawEvent[] = [];
  const streamOf = (stream: StreamName) => log.filter((event) => event.stream === stream);
  return {
    events: (): readonly RawEvent[] => log,
    append(stream: StreamName, expected: ExpectedRevision, events: readonly NewRawEvent[]): Outcome {
      const before = streamOf(stream);
      const next = expected === 'no-stream' ? 0 : expected + 1;
      if (next !== before.length) {
        const there = before.slice(next, next + events.length);
        const same = there.length === events.length && there.every(({ id }, n) => id === events[n]?.id);
        const last = there.at(-1);
        if (same && last) return { revision: last.revision, position: last.position, fresh: false };
        return { conflict: before.at(-1)?.revision ?? 'no-stream' };
      }
      if (events.some(({ id }) => log.some((event) => event.id === id))) return { conflict: expected };
      for (const [n, event] of events.entries()) {
        const position = String(BigInt(start) + BigInt(log.length) + 1n);
        log.push({ ...event, stream, position, revision: next + n });
      }
      const last = log.at(-1) as RawEvent;
      return { revision: last.revision, position: last.position, fresh: true };
    },
  };
}
