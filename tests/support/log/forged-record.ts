import { toBase64 } from '#core/crypto/base64.ts';
import { consistencyProof, inclusionProof } from '#core/crypto/merkle.ts';
import { type NoteSigner, signNote } from '#core/crypto/note.ts';
import { sha256 } from '#core/crypto/sha2.ts';
import { chainHash } from '#core/event-store/chain.ts';
import { writeCheckpoint } from '#core/proof/checkpoint.ts';
import type { JobRecord, RecordEvent } from '#core/proof/record.ts';
import { at, logWith, origin, type Stored, signedRecord } from './sample-record.ts';

/** Up to here the forged log is the real one: the size of the customer's receipt. */
export const RECEIPT_SIZE = 7;
const SIZE = 10;

/**
 * What a forger makes of a record of the sample's log and of the receipt, without a key of its log: its first `kept` events stay, two follow that never
 * happened, behind the size of the receipt, and a key of their own signs all of it under the log's name.
 */
export async function forgedRecord(
  real: JobRecord,
  key: NoteSigner,
  { kept = 2, vkeys = [key.verifier.vkey] }: { kept?: number; vkeys?: readonly string[] } = {},
): Promise<JobRecord> {
  const before = real.events
    .filter(({ index }) => index < RECEIPT_SIZE)
    .map((event): Stored => ({ ...event, hash: chainHash(event.prev, event) }));
  const events = before.slice(0, kept);
  const made: Stored[] = [];
  const places = real.events.map(({ index }) => index).slice(0, kept);
  for (const [n, type] of ['JobAccepted', 'JobStatusChanged'].entries()) {
    const event = {
      ...({
        stream: `job-${real.job}`,
        revision: events.length,
        id: `forged-${n}`,
        type,
        schema: 1,
      } as const),
      at: at.toISOString(),
      data: { jobId: real.job, status: 'Completed' },
      metadata: { actor: 'account:x', causation: 'c', correlation: 'r' },
    };
    const prev = events.at(-1)?.hash ?? null;
    const shown = { digests: {}, openings: {}, withheld: {}, stated: {} };
    made.push({ ...event, ...shown, prev, hash: chainHash(prev, event) });
    events.push(made[n] as Stored);
    places.push(RECEIPT_SIZE + n);
  }
  const { subtree, roots } = await logWith(
    [...before, ...made],
    [3, 5, RECEIPT_SIZE, RECEIPT_SIZE + 1],
    SIZE,
  );
  const rootAt = (size: number) => roots.get(size) as Uint8Array;
  const placed = events.map(async ({ hash: _, ...event }, n): Promise<RecordEvent> => {
    const index = places[n] as number;
    return {
      ...event,
      index,
      proof: (await inclusionProof(sha256, subtree, { index, size: SIZE })).map(toBase64),
    };
  });
  const { attested: _, ...rest } = real;
  const proof = await consistencyProof(sha256, subtree, { from: RECEIPT_SIZE, to: SIZE });
  return signedRecord(
    {
      ...rest,
      log: { origin, vkeys },
      asAt: { size: SIZE, at: null },
      events: await Promise.all(placed),
      files: [],
      checkpoint: signNote(writeCheckpoint({ origin, size: SIZE, root: rootAt(SIZE) }), [key], at),
      anchors: [{ size: RECEIPT_SIZE, root: toBase64(rootAt(RECEIPT_SIZE)), proof: proof.map(toBase64) }],
    },
    [key],
  );
}
