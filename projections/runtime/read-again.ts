import type { EventStore, RecordedEvent } from '#core/event-store/port.ts';
import { pause } from './pause.ts';

/**
 * Reads the unreadable events of a batch again, since what hid them (a key that did not answer) may have passed.
 * Only the first of each stream counts: what follows it waits in any case. `tries` includes the read that brought them.
 */
export async function readAgain(
  store: EventStore,
  events: readonly RecordedEvent[],
  tries: number,
): Promise<readonly RecordedEvent[]> {
  const read = new Map<string, RecordedEvent>();
  for (let attempt = 1; attempt < tries; attempt++) {
    const missing = firstUnreadablePerStream(events.map((event) => read.get(event.id) ?? event));
    if (missing.length === 0) break;
    await pause(50 * attempt);
    for (const { stream, revision } of missing) {
      for (const event of await store.readStream(stream, revision)) read.set(event.id, event);
    }
  }
  return read.size === 0 ? events : events.map((event) => read.get(event.id) ?? event);
}

function firstUnreadablePerStream(events: readonly RecordedEvent[]): RecordedEvent[] {
  const first = new Map<string, RecordedEvent>();
  for (const event of events) {
    if (event.unreadable !== undefined && !first.has(event.stream)) first.set(event.stream, event);
  }
  return [...first.values()];
}
