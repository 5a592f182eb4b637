import { type } from 'arktype';
import type { Event, EventVersion } from '#core/kernel/event.ts';
import type { StreamName } from '#core/kernel/stream-name.ts';
import { canonicalJson } from './canonical-json.ts';
import { chainHash } from './chain.ts';
import { UnstorableEventError } from './errors.ts';
import { type KnownEvent, versionsOf } from './event-types.ts';
import type { Cause, NewEvent, RecordedEvent } from './port.ts';
import type { JsonObject, NewRawEvent, RawEvent } from './raw-log.ts';
import { open, seal } from './sealed.ts';
import type { SubjectKey } from './subject-keys.ts';

/** What stands in the data in place of the personal fields: their key's subject, and base64. */
type PersonalBlob = Readonly<{ kid: string; iv: string; ct: string; tag: string }>;

type Keys = ReadonlyMap<string, SubjectKey>;

/** Whose key an event needs; null when none of its fields is personal. */
export function subjectOf({ type: name, data }: Event): string | null {
  const personal = newest(name).version.personal;
  return personal ? personal.subject(data as Record<string, unknown>) : null;
}

/** The subjects of stored events, each once. */
export function subjectsOf(events: readonly RawEvent[]): string[] {
  return [...new Set(events.flatMap(({ data }) => blobOf(data)?.kid ?? []))];
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
  const { position, stream, revision, id, type: name, schema, at, metadata } = raw;
  const place = { position, stream, revision, id, type: name, schema, metadata: { ...metadata, at } };
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
  const kid = subjectOf(event);
  if (!personal || kid === null) return data;
  const key = keys.get(kid);
  if (!Buffer.isBuffer(key)) throw new UnstorableEventError(`${event.type}: its subject has been erased`);
  const isPersonal = (field: string) => Object.hasOwn(personal.erased, field);
  const fields = Object.entries(data);
  const hidden = Object.fromEntries(fields.filter(([field]) => isPersonal(field)));
  const { iv, ct, tag } = seal(key, Buffer.from(canonicalJson(hidden), 'utf8'), binding(stream, id));
  return {
    ...Object.fromEntries(fields.filter(([field]) => !isPersonal(field))),
    personal: { kid, iv: iv.toString('base64'), ct: ct.toString('base64'), tag: tag.toString('base64') },
  };
}

function openPersonal({ personal }: EventVersion, { stream, id, data }: RawEvent, keys: Keys): object {
  if (!personal) return data;
  const blob = blobOf(data);
  if (!blob) throw new UnreadableError('its personal fields are missing');
  const { personal: _, ...plain } = data;
  const key = keys.get(blob.kid);
  if (key === 'destroyed') return { ...plain, ...structuredClone(personal.erased) };
  if (!key) throw new UnreadableError('its key is missing');
  try {
    const [iv, ct, tag] = [blob.iv, blob.ct, blob.tag].map((part) => Buffer.from(part, 'base64'));
    const text = open(key, { iv, ct, tag } as Parameters<typeof open>[1], binding(stream, id));
    return { ...plain, ...JSON.parse(text.toString('utf8')) };
  } catch {
    throw new UnreadableError('undecryptable');
  }
}

function binding(stream: StreamName, id: string): string {
  return `${stream}/${id}`;
}

function blobOf(data: JsonObject): PersonalBlob | null {
  const blob = data['personal'] as Partial<PersonalBlob> | undefined;
  const texts = [blob?.kid, blob?.iv, blob?.ct, blob?.tag];
  return texts.every((part) => typeof part === 'string') ? (blob as PersonalBlob) : null;
}

function newest(name: string): { version: EventVersion; number: number } {
  const versions = versionsOf(name);
  const version = versions?.at(-1);
  if (!versions || !version) throw new UnstorableEventError('the type of the event is unknown');
  return { version, number: versions.length };
}

/** Why a stored event cannot be read. The message never tells what stands in it. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
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
