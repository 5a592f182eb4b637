import { createHash } from 'node:crypto';
import type { Deps, LogProof, WantedRecord } from '#api/deps.ts';
import { unavailable } from '#api/http/answers.ts';
import { createGate } from '#api/http/gate.ts';
import { loadJob } from '#api/jobs/load-job.ts';
import { listHandedOut, proveSizes } from '#api/proof/handed-out.ts';
import {
  type Checkpoint,
  findCheckpoint,
  findLeaf,
  provesInclusion,
  readProofKeys,
} from '#api/proof/read.ts';
import { type NoteRequest, requestNote, statementKeyOf } from '#api/proof/statements.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { subjectsOf } from '#core/event-store/personal-fields.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { type JobEvent, jobDecider } from '#core/job/job.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { type Anchor, type JobRecord, recordHash, writeRecord } from '#core/proof/record.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import { toAnchor } from './records/anchors.ts';
import { attestedOf } from './records/attested.ts';
import { type PlacedEvent, recordEvents, recordFiles, unsignedRecord } from './records/unsigned-record.ts';

export type RecordDeps = Pick<
  Deps,
  'config' | 'db' | 'store' | 'subjectKeys' | 'readLeaves' | 'readStored' | 'files' | 'now' | 'newId'
>;

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/**
 * The signed record of a job. Throws NotFoundError, also for another business's job and a moment before it came, and a 503
 * where no process signs in time.
 */
async function makeRecord(deps: RecordDeps, wanted: WantedRecord): Promise<JobRecord> {
  const stream = streamName('job', wanted.jobId);
  const { events, details } = await loadJob(deps, wanted.businessId, wanted.jobId);
  const checkpoint = await checkpointWith(deps, events.at(-1) as RecordedEvent<JobEvent>);
  const { stored, size } = await storedUpTo(deps, stream, checkpoint, wanted);
  const proofs = await provesInclusion(deps.db, deps, {
    indexes: stored.map(({ index }) => index),
    size: checkpoint.size,
  });
  const job = { details, events, stored, proofs, keys: await deps.subjectKeys.find(subjectsOf(stored)) };
  const recorded = recordEvents(wanted, job);
  const frame = {
    ...{ reader: wanted, madeAt: deps.now(), checkpoint, size, at: wanted.at },
    timeZone: await getTimeZone(deps.db, wanted.businessId),
    vkeys: (await readProofKeys(deps.db)).map(({ vkey }) => vkey),
    anchors: await anchorsOf(deps, checkpoint, wanted, stored[0]?.index ?? 0),
    attested: await attestedOf(deps, checkpoint, stored.at(-1)?.index ?? 0),
  };
  const files = await recordFiles(recorded, async (id) => {
    const bytes = await deps.files.get(`media/${id}`);
    return bytes && sha256(bytes).toString('hex');
  });
  const unsigned = unsignedRecord(frame, wanted.jobId, recorded, files);
  const last = stored.at(-1)?.revision ?? 0;
  const hash = recordHash(sha256, unsigned);
  return { ...unsigned, statement: await signed(deps, { kind: 'record', stream, size, last, sha256: hash }) };
}

async function signed({ config, db, newId }: RecordDeps, request: NoteRequest): Promise<string> {
  const note = await requestNote(db, statementKeyOf(config.keys.data), newId(), request);
  if (note === null) throw unavailable();
  return note;
}

/** The newest checkpoint that has an event; asks for one where the event is younger than all of them. */
async function checkpointWith(deps: RecordDeps, { position }: RecordedEvent): Promise<Checkpoint> {
  const newest = await findCheckpoint(deps.db);
  const index = await findLeaf(deps.db, deps, position);
  if (newest && index !== null && index < newest.size) return newest;
  await signed(deps, { kind: 'checkpoint', position });
  const made = await findCheckpoint(deps.db);
  if (!made) throw unavailable();
  return made;
}

/**
 * A stream's events up to a checkpoint, and up to a moment or a revision if there is one, with their places. It is read once the checkpoint
 * is chosen, so no event below `size` is left out.
 */
async function storedUpTo(
  deps: RecordDeps,
  stream: StreamName,
  checkpoint: Checkpoint,
  { at, upTo }: Pick<WantedRecord, 'at' | 'upTo'>,
): Promise<{ stored: PlacedEvent[]; size: number }> {
  const stored: PlacedEvent[] = [];
  for (const raw of await deps.readStored(stream, 0)) {
    const index = await findLeaf(deps.db, deps, raw.position);
    if (index === null || index >= checkpoint.size) break;
    const isLater =
      (at !== null && Date.parse(raw.at) > at.getTime()) || (upTo !== null && raw.revision > upTo);
    if (isLater && stored.length > 0) return { stored, size: index };
    stored.push({ ...raw, index });
  }
  return { stored, size: checkpoint.size };
}

/** That the logs of older checkpoints are the beginning of this one: of those that a reader may have, and of the sizes that are asked for. */
async function anchorsOf(
  deps: RecordDeps,
  checkpoint: Checkpoint,
  { jobId, businessId, anchors }: WantedRecord,
  first: number,
): Promise<Anchor[]> {
  const known =
    (await listHandedOut(deps.db, checkpoint, { businessId, jobs: [{ jobId, first }], are: 'alone' })).get(
      jobId,
    ) ?? [];
  const asked = anchors.filter((size) => size >= 1 && size < checkpoint.size);
  const sizes = [...new Set([...asked, ...known])].toSorted((a, b) => a - b);
  const proven = await proveSizes(deps.db, deps, { sizes, to: checkpoint.size });
  return proven.map(toAnchor);
}

/** Issues records one by one; `LogProof.issueRecord` says how. */
export function recordIssuer(deps: RecordDeps): LogProof['issueRecord'] {
  // Each reads a job's events with their proofs, and waits for the process that signs.
  const gate = createGate({ atOnce: 4, waiting: 64, ofSource: 30 });
  return async (wanted, { turn, ...context }) => {
    const record = await gate.run(() => makeRecord(deps, wanted), turn);
    const { jobId, businessId, audience, by } = wanted;
    const upto = record.events.at(-1)?.revision ?? 0;
    await handleCommand(
      deps.store,
      jobDecider,
      streamName('job', jobId),
      {
        type: 'IssueJobRecord',
        at: deps.now().toISOString(),
        data: { jobId, businessId, audience, by, upto, sha256: recordHash(sha256, record) },
      },
      { ...context, commandId: deps.newId() },
    );
    return { fileName: `job-${jobId.slice(-12)}.ute-record.json`, record: writeRecord(record) };
  };
}
