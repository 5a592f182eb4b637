import { LRUCache } from 'lru-cache';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { withMacs } from './chain.ts';
import { decodeEvent, encodeEvents, subjectOf } from './codec.ts';
import { WrongExpectedRevisionError } from './errors.ts';
import { subjectsOf } from './personal-fields.ts';
import type {
  EventStore,
  ExpectedRevision,
  Position,
  RecordedEvent,
  StreamEnd,
  SubscriptionMessage,
} from './port.ts';
import type { RawEvent, RawLog } from './raw-log.ts';
import { shareSubscriptions } from './shared-subscription.ts';
import { checkCause, checkStorable } from './storable.ts';
import type { SubjectKeys } from './subject-keys.ts';
import { untilReachable } from './waiting.ts';

const CACHED_ENDS = 10_000;

/** The event store over a raw log: schemas, personal data, hashes, codes by `macKey` (`macKeyOf`). The same for every adapter. */
export function createEventStore(log: RawLog, keys: SubjectKeys, macKey: Buffer): EventStore {
  /** The hash of an event that stands in the log, by stream: most appends follow the event read just before. */
  const ends = new LRUCache<StreamName, StreamEnd>({ max: CACHED_ENDS });

  function remember(event: RawEvent | undefined): void {
    if (event) ends.set(event.stream, { revision: event.revision, hash: event.metadata.hash });
  }

  async function hashAt(stream: StreamName, expected: ExpectedRevision): Promise<string | null> {
    if (expected === 'no-stream') return null;
    const end = ends.get(stream);
    if (end?.revision === expected) return end.hash;
    const [event] = await log.readStream(stream, expected, 1);
    if (!event) throw new WrongExpectedRevisionError(stream, expected, await log.lastRevision(stream));
    return event.metadata.hash;
  }

  async function decode(events: readonly RawEvent[], caching?: 'uncached'): Promise<RecordedEvent[]> {
    const found = await keys.find(subjectsOf(events), caching);
    return events.map((event) => decodeEvent(event, found));
  }

  async function* subscribeAlone(
    after: Position,
    options: Parameters<RawLog['subscribeAll']>[1],
  ): AsyncGenerator<SubscriptionMessage> {
    for await (const message of log.subscribeAll(after, options)) {
      if (message.kind === 'caught-up') {
        yield message;
      } else {
        const events = await untilReachable(() => decode(message.events), options.signal);
        if (!events) return;
        yield { kind: 'events', events, position: message.position };
      }
    }
  }

  return {
    async append(stream, end, events, context) {
      if (events.length === 0) throw new RangeError('nothing to append');
      checkStorable(events);
      checkCause(context);
      const expected = typeof end === 'object' ? end.revision : end;
      const previous = typeof end === 'object' ? end.hash : await hashAt(stream, end);
      const subjects = events.flatMap(({ event }) => subjectOf(event) ?? []);
      const place = { stream, revision: expected === 'no-stream' ? -1 : expected, previous };
      const raw = withMacs(macKey, encodeEvents(place, events, context, await keys.ensure(subjects)));
      const { revision, position, fresh } = await log.append(stream, expected, raw);
      const hash = raw.at(-1)?.metadata.hash;
      if (fresh && hash) ends.set(stream, { revision, hash });
      else ends.delete(stream);
      return { revision, position };
    },

    async readStream(stream, from = 0) {
      const events = await log.readStream(stream, from);
      remember(events.at(-1));
      return decode(events);
    },

    async readStreams(streams) {
      return Map.groupBy(await decode(await log.readStreams(streams), 'uncached'), ({ stream }) => stream);
    },

    async readAll(after, limit) {
      return decode(await log.readAll(after, limit));
    },

    subscribeAll: shareSubscriptions(subscribeAlone),

    head: () => log.head(),
  };
}
