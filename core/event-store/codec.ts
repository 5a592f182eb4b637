import { type } from 'arktype';
import type { Json, JsonObject } from '#core/kernel/canonical-json.ts';
import type { Event, EventVersion } from '#core/kernel/event.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { chainHash } from './chain.ts';
import { UnreadableError, UnreadableEventError, UnstorableEventError } from './errors.ts';
import { type KnownEvent, versionsOf } from './event-types.ts';
import { type Keys, openPersonal, sealFields } from './personal-fields.ts';
import type { Cause, NewEvent, RecordedEvent } from './port.ts';
import type { NewRawEvent, RawEvent } from './raw-log.ts';

/** Whose key an event needs; null when none of its fields is personal. */
export function subjectOf({ type: name, data }: Event): string | null {
  const personal = newest(name).version.personal;
  return personal ? personal.subject(data as Record<string, unknown>) : null;
}

/**
 * As `stream` will store the events after `revision` (-1 for none), whose hash is `previous`: personal fields sealed,
 * each event tied to the one before. The events have passed `checkStorable`; `keys` holds every subject's key.
 * Throws `UnstorableEventError` when a subject's key is destroyed.
 */
export function encodeEvents(
  place: { stream: StreamName; revision: number; previous: string | null },
  events: readonly NewEvent[],
  { at, actor, causation, correlation }: Cause & { at: string },
  keys: Keys,
): NewRawEvent[] {
  const cause = { actor, causation, correlation };
  const instant = new Date(at).toISOString();
  let previous = place.previous;
  return events.map(({ id, event }, index) => {
    const { stream } = place;
    const data = sealPersonal(stream, id, event, keys);
    const stored = { id, type: event.type, schema: newest(event.type).number, at: instant, data };
    const hash = chainHash(previous, {
      ...stored,
      stream,
      revision: place.revision + 1 + index,
      metadata: cause,
    });
    previous = hash;
    return { ...stored, metadata: { ...cause, hash } };
  });
}

/** The event as the product speaks of it today, or why it cannot be read. Never throws. */
export function decodeEvent(raw: RawEvent, keys: Keys): RecordedEvent {
  const { position, stream, revision, id, type: name, schema, at } = raw;
  const { actor, causation, correlation, hash } = raw.metadata;
  const metadata = { actor, causation, correlation, hash, at };
  const place = { position, stream, revision, id, type: name, schema, metadata };
  try {
    // Every version on the way has checked the data, so that the name says what it is.
    return { ...place, event: { type: name, data: readData(raw, keys) } as KnownEvent };
  } catch (error) {
    const reason =
      error instanceof UnreadableError ? error.message : 'it cannot be brought to the newest version';
    return { ...place, unreadable: reason };
  }
}

function readData(raw: RawEvent, keys: Keys): object {
  const versions = versionsOf(raw.type);
  if (!versions) throw new UnreadableError('unknown type');
  return upcast(versions, raw.schema, openPersonal(versionAt(versions, raw.schema), raw, keys));
}

function sealPersonal(stream: StreamName, id: string, event: Event, keys: Keys): JsonObject {
  const data = event.data as JsonObject;
  const personal = newest(event.type).version.personal;
  if (!personal) return data;
  const kid = personal.subject(data);
  if (kid === null) return data;
  const key = keys.get(kid);
  if (!Buffer.isBuffer(key)) throw new UnstorableEventError(`${event.type}: its subject has been erased`);
  const [plain, hidden]: [Record<string, Json>, Record<string, Json>] = [{}, {}];
  for (const field of Object.keys(data))
    (Object.hasOwn(personal.erased, field) ? hidden : plain)[field] = data[field] as Json;
  return { ...plain, personal: sealFields(key, kid, { stream, id }, hidden) };
}

function newest(name: string): { version: EventVersion; number: number } {
  const versions = versionsOf(name);
  const version = versions?.at(-1);
  if (!versions || !version) throw new UnstorableEventError('the type of the event is unknown');
  return { version, number: versions.length };
}

/** The version that an event was stored with. */
function versionAt(versions: readonly EventVersion[], number: number): EventVersion {
  const version = versions[number - 1];
  if (!version) throw new UnreadableError('unknown version of its type');
  return version;
}

/** Data of version `number` (1-based), step by step in the shape of the newest; checked against every schema on the way. */
export function upcast(versions: readonly EventVersion[], number: number, data: object): object {
  const version = versionAt(versions, number);
  const result = version.schema(data);
  if (result instanceof type.errors)
    throw new UnreadableError(`does not fit version ${number} of its schema`);
  if (number === versions.length) return result;
  if (!version.upcast) throw new UnreadableError(`no way on from version ${number}`);
  return upcast(versions, number + 1, version.upcast(result as Record<string, unknown>));
}

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
