import type { Checkpoint } from '#api/proof/read.ts';
import { type Keys, openCommitment } from '#core/event-store/personal-fields.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import type { JobEvent } from '#core/job/job.ts';
import type { JobDetails } from '#core/job/view.ts';
import type { JsonObject } from '#core/kernel/canonical-json.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import {
  type Anchor,
  type Attested,
  RECORD_FORMAT,
  type RecordEvent,
  type RecordFile,
  type UnsignedRecord,
} from '#core/proof/record.ts';
import { base64Of } from './anchors.ts';
import { fieldsFor, type Reader } from './shown-fields.ts';

/** An event as it is stored, with its place among the leaves of the tree. */
export type PlacedEvent = RawEvent & Readonly<{ index: number }>;

/** A job and what of it goes into a record: `stored` has its first events, `events` those that can be read, by which `details` came. */
export type RecordedJob = Readonly<{
  details: JobDetails;
  events: readonly RecordedEvent<JobEvent>[];
  stored: readonly PlacedEvent[];
  /** As many: what shows that each is in the log. */
  proofs: readonly (readonly Uint8Array[])[];
  keys: Keys;
}>;

/** The events of a record. Throws `UnreadableError` where one cannot be opened, or is not what was committed to. */
export function recordEvents(
  reader: Reader,
  { details, events, stored, proofs, keys }: RecordedJob,
): RecordEvent[] {
  const stream = streamName('job', details.id);
  const decoded = new Map(events.map((event) => [event.revision, event]));
  return stored.map((raw, n) => {
    const { hash: _, mac: __, ...metadata } = raw.metadata;
    const { index, revision, id, type, schema, at, data } = raw;
    const prev = stored[n - 1]?.metadata.hash ?? null;
    const fields = fieldsFor(reader, details, openCommitment(raw, keys), decoded.get(revision));
    const proof = (proofs[n] ?? []).map(base64Of);
    return { index, stream, revision, id, type, schema, at, data, metadata, prev, ...fields, proof };
  });
}

/** What of a record is not its events and files: `size` and `at` as `asAt` has them. */
export type RecordFrame = Readonly<{
  reader: Reader;
  madeAt: Date;
  /** Of the business; null where it is not known. */
  timeZone: string | null;
  checkpoint: Checkpoint;
  vkeys: readonly string[];
  size: number;
  at: Date | null;
  anchors: readonly Anchor[];
  attested: readonly Attested[];
}>;

/** A record of a job as it is before it is signed. */
export function unsignedRecord(
  { reader, madeAt, timeZone, checkpoint, vkeys, size, at, anchors, attested }: RecordFrame,
  job: string,
  events: readonly RecordEvent[],
  files: readonly RecordFile[],
): UnsignedRecord {
  return {
    format: RECORD_FORMAT,
    made: {
      ...{ at: madeAt.toISOString(), by: reader.by, audience: reader.audience },
      ...(timeZone === null ? {} : { timeZone }),
    },
    log: { origin: checkpoint.origin, vkeys },
    job,
    asAt: { size, at: at?.toISOString() ?? null },
    events,
    files,
    checkpoint: checkpoint.note,
    anchors,
    ...(attested.length > 0 ? { attested } : {}),
  };
}

/** The files that a record's events show. `hashOf` answers the SHA-256 of one's bytes in hex, null where they are gone. */
export async function recordFiles(
  events: readonly RecordEvent[],
  hashOf: (id: string) => Promise<string | null>,
): Promise<RecordFile[]> {
  const shown = events.flatMap(({ openings, stated }) => [
    ...Object.entries(openings).map(([field, [, value]]) => [field, value] as const),
    ...Object.entries(stated),
  ]);
  const media = shown.filter(([field]) => field.startsWith('media/')).map(([, value]) => value as JsonObject);
  const files: RecordFile[] = [];
  for (const { id, name } of media)
    files.push({ id: String(id), name: String(name), sha256: await hashOf(String(id)) });
  return files;
}
