import type { Event } from '#core/kernel/event.ts';
import { UnreadableEventError } from './errors.ts';
import type { RecordedEvent } from './port.ts';

/** Recorded events as those of one aggregate: an event of another type counts as unreadable. */
export function typedEvents<E extends Event>(
  owns: (event: Event) => event is E,
  recorded: readonly RecordedEvent[],
): RecordedEvent<E>[] {
  return recorded.map(({ event, ...place }) => {
    if (event === undefined) return place;
    return owns(event) ? { ...place, event } : { ...place, unreadable: 'of another aggregate' };
  });
}

/**
 * The events themselves, for a fold that needs all of them. Throws `UnreadableEventError` at the first one that cannot be
 * read, because half a history decides nothing.
 */
export function readableEvents<E extends Event>(
  owns: (event: Event) => event is E,
  recorded: readonly RecordedEvent[],
): E[] {
  return typedEvents(owns, recorded).map(({ event, stream, revision, unreadable }) => {
    if (!event) throw new UnreadableEventError(stream, revision, unreadable ?? 'unknown');
    return event;
  });
}
