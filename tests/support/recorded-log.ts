import { comparePositions, type EventStore, type RecordedEvent } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { StreamEvent } from './scenarios.ts';

const namespace = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

/** Events as they would stand in a log that holds nothing else: positions from 1, revisions from 0. */
export function record(streamEvents: readonly StreamEvent[]): RecordedEvent[] {
  const ends = new Map<string, number>();
  return streamEvents.map(({ stream, event }, index) => {
    const revision = (ends.get(stream) ?? -1) + 1;
    ends.set(stream, revision);
    const id = uuidV5(namespace, `${stream}/${revision}`);
    const cause = { actor: 'system', causation: id, correlation: 'test' };
    return {
      ...{ position: String(index + 1), stream, revision, id, type: event.type, schema: 1 },
      ...{ metadata: { ...cause, at: '2026-11-16T21:30:00.000Z', hash: '' }, event },
    };
  });
}

/** The reading half of an event store over a log that is finished. */
export function finishedLog(events: readonly RecordedEvent[]): EventStore {
  return {
    append: () => Promise.reject(new Error('the log is finished')),
    readStream: async (stream, from = 0) =>
      events.filter((event) => event.stream === stream && event.revision >= from),
    readStreams: async (streams) =>
      Map.groupBy(
        events.filter(({ stream }) => streams.includes(stream)),
        ({ stream }) => stream,
      ),
    readAll: async (after, limit) =>
      events.filter(({ position }) => comparePositions(position, after) > 0).slice(0, limit),
    subscribeAll: () => {
      throw new Error('nothing follows in a finished log');
    },
    head: async () => events.at(-1)?.position ?? '0',
  };
}
