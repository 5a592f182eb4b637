import { hash } from 'node:crypto';
import type { Deps, LogProof } from '#api/deps.ts';
import { foldReadable } from '#api/jobs/load-job.ts';
import { type Checkpoint, findCheckpoint, readProofKeys, readProofStatus } from '#api/proof/read.ts';
import {
  type CheckpointWith,
  MOST_RECORDS,
  type RecordClaim,
  requestStatements,
  statementKeyOf,
} from '#api/proof/statements.ts';
import { openProofs, type ProofReader } from '#api/proof/tiles.ts';
import { openNote } from '#core/crypto/note.ts';
import { decodeEvent, typedEvents } from '#core/event-store/codec.ts';
import { UnreadableError } from '#core/event-store/errors.ts';
import { type Keys, subjectsOf } from '#core/event-store/personal-fields.ts';
import type { Position } from '#core/event-store/port.ts';
import type { RawEvent } from '#core/event-store/raw-log.ts';
import { isJobEvent } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type Anchor, readStatement, statementEnd, writeUnsigned } from '#core/proof/record.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import { anchorReader } from './records/anchors.ts';
import { attestedReader } from './records/attested.ts';
import {
  type PlacedEvent,
  type RecordFrame,
  recordEvents,
  recordFiles,
  unsignedRecord,
} from './records/unsigned-record.ts';

export type ManyRecordsDeps = Pick<
  Deps,
  | 'config'
  | 'db'
  | 'subjectKeys'
  | 'readLeaves'
  | 'readLeafRuns'
  | 'readStoredStreams'
  | 'now'
  | 'newId'
  | 'logger'
> &
  Readonly<{ checkpointWith: CheckpointWith }>;

/** How many times an answer is asked for, two seconds each: another process takes over from one that signs no more. */
const ASKS = 3;

/** The SHA-256 of a file's bytes in hex; null where they are gone. */
type HashOf = (fileId: string) => Promise<string | null>;

/** Jobs whose events are read at once: what is in use longer outlives a collection. */
const AT_ONCE = 25;

type Unsigned = Readonly<{ jobId: string; text: Buffer; claim: RecordClaim }>;

/** As `LogProof.openRecords`. */
export async function openRecords(
  deps: ManyRecordsDeps,
  given: Parameters<LogProof['openRecords']>[0],
): ReturnType<LogProof['openRecords']> {
  const { db } = deps;
  const { businessId, position, onRecords } = given;
  const checkpoint = await newestWith(deps, position);
  const unsignable = () => deps.logger.warn({ event: 'records-not-signed', business: businessId });
  if (!checkpoint) {
    unsignable();
    return null;
  }
  const { size } = checkpoint;
  const proofs = await openProofs(db, deps, size);
  const verifiers = await readProofKeys(db);
  const frame = {
    ...{ reader: { audience: 'owner', by: 'tradie' } as const, checkpoint, size, at: null },
    timeZone: await getTimeZone(db, businessId),
    vkeys: verifiers.map(({ vkey }) => vkey),
  };
  const attestedAbove = attestedReader(deps, checkpoint);
  const anchorsOf = anchorReader(db, proofs, checkpoint, businessId);
  let isOver = false;
  let [shelf, other] = [createShelf(), createShelf()];

  async function unsigned(
    jobId: string,
    stored: readonly PlacedEvent[],
    raw: readonly RawEvent[],
    keys: Keys,
    anchors: readonly Anchor[],
    hashOf: HashOf,
  ) {
    const events = typedEvents(
      isJobEvent,
      raw.map((event) => decodeEvent(event, keys)),
    );
    const details = foldReadable(events);
    const last = stored.at(-1);
    if (!last || details?.businessId !== businessId) return null;
    const inclusion = await Promise.all(stored.map(({ index }) => proofs.proveInclusion(index)));
    const recorded = recordEvents(frame.reader, { details, events, stored, keys, proofs: inclusion });
    const attested = await attestedAbove(last.index);
    const whole: RecordFrame = { ...frame, madeAt: deps.now(), anchors, attested };
    const files = await recordFiles(recorded, hashOf);
    const text = shelf.put(writeUnsigned(unsignedRecord(whole, jobId, recorded, files)));
    const claim = { stream: last.stream, last: last.revision, sha256: hash('sha256', text, 'base64') };
    return { jobId, text, claim };
  }

  async function unsignedOf(jobIds: readonly string[], hashOf: HashOf): Promise<Unsigned[]> {
    const read = await deps.readStoredStreams(jobIds.map((id) => streamName('job', id)));
    const [byStream, keys, places] = await Promise.all([
      Map.groupBy(read, ({ stream }) => stream),
      deps.subjectKeys.find(subjectsOf(read), 'uncached'),
      placesOf(proofs, read),
    ]);
    const jobs = jobIds.map((jobId) => {
      const events = byStream.get(streamName('job', jobId)) ?? [];
      return { jobId, raw: events, stored: placed(events, places) };
    });
    const anchors = await anchorsOf(
      jobs.flatMap(({ jobId, stored: [first] }) => (first ? [{ jobId, first: first.index }] : [])),
    );
    const made: Unsigned[] = [];
    for (const { jobId, raw, stored } of jobs) {
      try {
        const one = await unsigned(jobId, stored, raw, keys, anchors.get(jobId) ?? [], hashOf);
        if (one) made.push(one);
      } catch (error) {
        if (!(error instanceof UnreadableError)) throw error;
        deps.logger.warn({ event: 'record-not-made', job: jobId, reason: error.message });
      }
      // Each takes a millisecond, in which this process answers no request.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return made;
  }

  /** Whether the records name the key and the log of who signs: another may be there since their checkpoint. */
  function isOfLog(notes: readonly (string | null)[]): boolean {
    const note = notes.find((one) => one !== null);
    const opened = note ? openNote(note, verifiers) : null;
    const isKnown = opened !== null && opened.unknown === 0 && opened.wrong.length === 0;
    return !note || (isKnown && readStatement(opened.text)?.origin === checkpoint?.origin);
  }

  async function signed(records: readonly RecordClaim[]): Promise<readonly (string | null)[]> {
    if (records.length === 0) return [];
    const key = statementKeyOf(deps.config.keys.data);
    for (let ask = 0; ask < ASKS && !isOver; ask += 1) {
      const notes = await requestStatements(db, key, deps.newId(), { size, records });
      if (notes && isOfLog(notes)) return notes;
    }
    if (!isOver) unsignable();
    isOver = true;
    return [];
  }

  return {
    note: checkpoint.note,
    async make(jobIds, hashOf) {
      if (jobIds.length > MOST_RECORDS) throw new RangeError('so many records are not signed at once');
      if (isOver) return new Map();
      [shelf, other] = [other, shelf];
      shelf.clear();
      const made: Unsigned[] = [];
      for (let from = 0; from < jobIds.length; from += AT_ONCE) {
        made.push(...(await unsignedOf(jobIds.slice(from, from + AT_ONCE), hashOf)));
        onRecords(Math.min(AT_ONCE, jobIds.length - from));
      }
      const notes = await signed(made.map(({ claim }) => claim));
      return new Map(
        made.flatMap(({ jobId, text }, n) => {
          const note = notes[n];
          return note ? [[jobId, { start: text.subarray(0, -1), end: statementEnd(note) }] as const] : [];
        }),
      );
    },
  };
}

/** The newest checkpoint, which has the event at `position`: asked for unless there was none before, or the proof is stopped. */
async function newestWith(
  { db, checkpointWith }: ManyRecordsDeps,
  position: Position,
): Promise<Checkpoint | null> {
  const { signed, stopped } = await readProofStatus(db);
  if (!signed || stopped !== null) return null;
  for (let ask = 0; ask < ASKS; ask += 1) {
    if (await checkpointWith(position)) return findCheckpoint(db);
  }
  return null;
}

/** The places of events among the leaves, by their positions. */
type Places = ReadonlyMap<Position, number | null>;

async function placesOf(proofs: ProofReader, events: readonly RawEvent[]): Promise<Places> {
  const positions = events.map(({ position }) => position);
  const indexes = await proofs.findLeaves(positions);
  return new Map(positions.map((position, n) => [position, indexes[n] ?? null]));
}

/** A job's events up to the first one that came after the checkpoint. */
function placed(events: readonly RawEvent[], places: Places): PlacedEvent[] {
  const stored: PlacedEvent[] = [];
  for (const event of events) {
    const index = places.get(event.position) ?? null;
    if (index === null) break;
    stored.push({ ...event, index });
  }
  return stored;
}

/** Bytes of the records that are signed at once: what does not fit has a place of its own. */
const SHELF = 1_500_000;

/** A place for texts that is used again and again: texts that are in use for long would be collected as late as all of the heap is. */
function createShelf() {
  const bytes = Buffer.alloc(SHELF);
  let length = 0;
  return {
    clear() {
      length = 0;
    },
    put(text: string): Buffer {
      const size = Buffer.byteLength(text);
      if (length + size > SHELF) return Buffer.from(text);
      bytes.write(text, length);
      length += size;
      return bytes.subarray(length - size, length);
    },
  };
}
