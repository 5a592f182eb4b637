import { createHash } from 'node:crypto';
import { toBase64 } from '#core/crypto/base64.ts';
import {
  consistencyProof,
  fullRoot,
  inclusionProof,
  leafHash,
  rootOf,
  type Subtree,
} from '#core/crypto/merkle.ts';
import { type NoteSigner, noteSigner, signNote } from '#core/crypto/note.ts';
import { chainHash } from '#core/event-store/chain.ts';
import { openCommitment, sealFields } from '#core/event-store/personal-fields.ts';
import type { JsonObject } from '#core/kernel/canonical-json.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { writeCheckpoint } from '#core/proof/checkpoint.ts';
import {
  type JobRecord,
  type RecordEvent,
  recordHash,
  writeRecord,
  writeStatement,
} from '#core/proof/record.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

export const origin = 'jobs.example.com/log/7f3a91c2';
export const signer = noteSigner(origin, new Uint8Array(32).fill(7));
export const clock = noteSigner(origin, new Uint8Array(32).fill(8), 'cosignature');
export const at = new Date('2026-11-23T05:00:00.000Z');

export const job = '01983f5a-0000-7000-8000-000000000001';
const stream = streamName('job', job);
const subject = `customer-${job}`;
const key = Buffer.alloc(32, 3);
/** Where the job's events stand among those of others. */
const indexes: readonly number[] = [3, 5, 8];
const SIZE = 11;

export type Stored = Omit<RecordEvent, 'index' | 'proof'> & Readonly<{ hash: string }>;

/** With witnesses: a checkpoint of seven events that they signed too, and a time stamp. One job of three events in a log of eleven: the first with an answer and two fields, one of which is withheld. */
export async function sampleRecord(
  signers: readonly NoteSigner[] = [signer, clock],
  witnesses: readonly NoteSigner[] = [],
): Promise<{
  record: JobRecord;
  text: string;
  roots: Map<number, Uint8Array>;
}> {
  const events = storedEvents();
  const { subtree, roots } = await logWith(events, indexes, SIZE);
  const proofOf = async (index: number) =>
    (await inclusionProof(sha256, subtree, { index, size: SIZE })).map(toBase64);
  const record = await Promise.all(
    events.map(async ({ hash: _, ...event }, n): Promise<RecordEvent> => {
      const index = indexes[n] as number;
      return { ...event, index, proof: await proofOf(index) };
    }),
  );
  const anchor = (await consistencyProof(sha256, subtree, { from: 7, to: SIZE })).map(toBase64);
  const root = roots.get(SIZE) as Uint8Array;
  const witnessed = {
    note: signNote(
      writeCheckpoint({ origin, size: 7, root: roots.get(7) as Uint8Array }),
      [signer, ...witnesses],
      at,
    ),
    timestamps: [{ by: 'https://tsa.example/', token: toBase64(new Uint8Array(20)) }],
    proof: anchor,
  };
  const signed = signedRecord({
    format: 'ute-job-record/1',
    made: { at: at.toISOString(), by: 'tradie', audience: 'customer' },
    log: { origin, vkeys: [signer.verifier.vkey, clock.verifier.vkey] },
    job,
    asAt: { size: SIZE, at: null },
    events: record,
    files: [{ id: 'f1', name: 'leak.jpg', sha256: 'ab'.repeat(32) }],
    checkpoint: signNote(writeCheckpoint({ origin, size: SIZE, root }), signers, at),
    anchors: [{ size: 7, root: toBase64(roots.get(7) as Uint8Array), proof: anchor }],
    ...(witnesses.length > 0 ? { attested: [witnessed] } : {}),
  });
  return { record: signed, text: writeRecord(signed), roots };
}

/** A log that has these events at these places, and the same ones of others everywhere else; its root at each size. */
export async function logWith(events: readonly Stored[], places: readonly number[], size: number) {
  const leaves = Array.from({ length: size }, (_, n) => {
    const own = events[places.indexOf(n)];
    return leafHash(sha256, own ? Buffer.from(own.hash, 'hex') : sha256(Buffer.from(`other ${n}`)));
  });
  const subtree: Subtree = async (level, n) =>
    fullRoot(sha256, leaves.slice(n * 2 ** level, (n + 1) * 2 ** level));
  const roots = new Map<number, Uint8Array>();
  for (let upTo = 1; upTo <= size; upTo += 1) roots.set(upTo, await rootOf(sha256, subtree, upTo));
  return { subtree, roots };
}

/** A record with a statement that fits it. */
export function signedRecord(
  unsigned: Omit<JobRecord, 'statement'>,
  signers: readonly NoteSigner[] = [signer],
): JobRecord {
  const { log, asAt, events } = unsigned;
  const text = writeStatement({
    origin: log.origin,
    stream: `job-${unsigned.job}`,
    size: asAt.size,
    first: events[0]?.revision ?? 0,
    last: events.at(-1)?.revision ?? 0,
    sha256: recordHash(sha256, unsigned),
  });
  return { ...unsigned, statement: signNote(text, signers, at) };
}

function storedEvents(): Stored[] {
  const requested = {
    name: 'Zoë Smith',
    phone: '+61412345678',
    answers: [{ answer: 'Two', question: 'How many?' }],
  };
  const plain = [
    { type: 'JobRequested', fields: requested, data: { jobId: job, isUrgent: false } },
    { type: 'JobAccepted', fields: null, data: { jobId: job, acceptedAt: at.toISOString() } },
    { type: 'JobNotesChanged', fields: { notes: 'Bring the ladder' }, data: { jobId: job } },
  ];
  const stored: Stored[] = [];
  for (const [revision, { type, fields, data }] of plain.entries()) {
    const id = `01983f5a-0000-7000-8000-00000000010${revision}`;
    const personal = fields ? sealFields(key, subject, { stream, id }, fields) : null;
    const event = {
      stream,
      revision,
      id,
      type,
      schema: 1,
      at: at.toISOString(),
      data: (personal ? { ...data, personal } : data) as unknown as JsonObject,
      metadata: { actor: 'customer', causation: `c${revision}`, correlation: 'r' },
    };
    const prev = stored.at(-1)?.hash ?? null;
    const hash = chainHash(prev, event);
    const raw = { ...event, position: '1', metadata: { ...event.metadata, hash } };
    const opened = openCommitment(raw, new Map([[subject, key]]));
    const { digests, openings }: Pick<RecordEvent, 'digests' | 'openings'> =
      opened.kind === 'fits' ? opened : { digests: {}, openings: {} };
    const { phone, notes, ...shown } = openings;
    stored.push({
      ...event,
      hash,
      prev,
      digests,
      openings: shown,
      withheld: { ...(phone && { phone: 'not-for-you' }), ...(notes && { notes: 'not-for-you' }) },
      stated: {},
    });
  }
  return stored;
}
