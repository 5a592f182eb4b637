import { expect } from 'vitest';
import { comparePositions, type RecordedEvent } from '#core/event-store/port.ts';

/** Positions grow, and each stream comes in its own order, without a step left out. */
export function expectOrdered(events: readonly RecordedEvent[]): void {
  const revisions = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const previous = events[index - 1];
    if (previous) expect(comparePositions(previous.position, event.position)).toBeLessThan(0);
    const last = revisions.get(event.stream);
    if (last !== undefined) expect(event.revision).toBe(last + 1);
    revisions.set(event.stream, event.revision);
  }
}
