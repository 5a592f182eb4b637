import type { Pool } from 'pg';
import type { LeafReader } from '#core/event-store/raw-log.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { consistencyProof, rootOf, type Subtree } from '#core/proof/merkle.ts';
import type { CheckpointBody } from '#core/proof/note.ts';
import type { Checkpoint } from './read.ts';
import { sha256, storedSubtrees } from './tree.ts';

/** Notes that a mail about this job or business has a checkpoint: a record finds it then, however much later. */
export async function noteHandedOut(
  db: Pool,
  holder: StreamName,
  { origin, size }: Pick<CheckpointBody, 'origin' | 'size'>,
  at: Date,
): Promise<void> {
  await db.query(
    plannedOnce(
      `insert into proof.handed_out (holder, epoch, size, at)
      select $1, epoch, $3, $4 from proof.log where origin = $2 on conflict do nothing`,
      [holder, origin, size, at],
    ),
  );
}

/**
 * The sizes of older checkpoints that a reader of a job's record may have, at most 19: those of its receipt; of the mails to its
 * business the newest, and the first after the job came; of the stored ones, which are open to all, likewise.
 */
export async function listHandedOut(
  db: Pool,
  { epoch, size }: Pick<Checkpoint, 'epoch' | 'size'>,
  { jobId, businessId, first }: Readonly<{ jobId: string; businessId: string; first: number }>,
): Promise<number[]> {
  const { rows } = await db.query<{ size: string }>(
    plannedOnce(
      `with mailed as (select holder, size from proof.handed_out where epoch = $1 and size < $2 and holder in ($3, $4)),
        stored as (select size from proof.checkpoints where epoch = $1 and size < $2 and size > $5)
      select size from (
        (select size from mailed where holder = $3 order by size desc limit 4)
        union (select size from mailed where holder = $4 order by size desc limit 5)
        union (select size from mailed where holder = $4 and size > $5 order by size limit 4)
        union (select size from stored order by size limit 3)
        union (select size from stored order by size desc limit 3)
      ) known order by size`,
      [epoch, size, streamName('job', jobId), streamName('business', businessId), first],
    ),
  );
  return rows.map((row) => Number(row.size));
}

/** That the log was once of a size, and is the beginning of a later one. */
export type ProvenSize = Readonly<{ size: number; root: Uint8Array; proof: readonly Uint8Array[] }>;

/** For each of these sizes the root, and the hashes that lead to the log of `to` leaves, which the tree has reached. */
export async function proveSizes(
  db: Pool,
  log: LeafReader,
  { sizes, to }: Readonly<{ sizes: readonly number[]; to: number }>,
): Promise<ProvenSize[]> {
  const subtree = remembered(storedSubtrees(db, log));
  const proven: ProvenSize[] = [];
  for (const size of sizes) {
    const root = await rootOf(sha256, subtree, size);
    proven.push({ size, root, proof: await consistencyProof(sha256, subtree, { from: size, to }) });
  }
  return proven;
}

/** Proofs to one size have most of their subtrees in common. */
function remembered(subtree: Subtree): Subtree {
  const known = new Map<string, Promise<Uint8Array>>();
  return (level, n) => {
    const key = `${level}/${n}`;
    const found = known.get(key) ?? subtree(level, n);
    known.set(key, found);
    return found;
  };
}
