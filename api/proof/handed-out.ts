import type { Pool } from 'pg';
import type { Subtree } from '#core/crypto/merkle.ts';
import type { LeafReader } from '#core/event-store/raw-log.ts';
import { type StreamName, streamName } from '#core/kernel/stream-name.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import type { CheckpointBody } from '#core/proof/checkpoint.ts';
import type { Checkpoint } from './read.ts';
import { type ProvenSize, provenSize, storedSubtrees } from './tree.ts';

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

/** A job whose record is made, and where its first event stands among the leaves. */
export type HeldJob = Readonly<{ jobId: string; first: number }>;

/** How many sizes of each kind are listed: of one job, and of each where those of many are. `stored` counts from either end. */
const most = {
  alone: { receipts: 4, newest: 5, first: 4, stored: 3 },
  together: { receipts: 4, newest: 4, first: 1, stored: 0 },
} as const;

/**
 * The sizes of older checkpoints that a reader of a job's record may have, for each of these jobs of one business: those of its receipt; of
 * the mails to its business the newest, and the first after the job came; of the stored ones, which are open to all, likewise.
 */
export async function listHandedOut(
  db: Pool,
  { epoch, size }: Pick<Checkpoint, 'epoch' | 'size'>,
  {
    businessId,
    jobs,
    are,
  }: Readonly<{ businessId: string; jobs: readonly HeldJob[]; are: keyof typeof most }>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { receipts, newest, first, stored } = most[are];
  const mailed = 'select size from proof.handed_out where epoch = $1 and size < $2 and holder';
  const signed =
    'select size from proof.checkpoints where epoch = $1 and size < $2 and size > job.first order by size';
  const { rows } = await db.query<{ n: number; sizes: number[] }>(
    plannedOnce(
      `select job.n::int as n, known.sizes from unnest($4::text[], $5::bigint[]) with ordinality job (holder, first, n)
      cross join lateral (select coalesce(json_agg(size order by size), '[]') as sizes from (
        (${mailed} = job.holder order by size desc limit ${receipts})
        union (${mailed} = $3 order by size desc limit ${newest})
        union (${mailed} = $3 and size > job.first order by size limit ${first})
        union (${signed} limit ${stored})
        union (${signed} desc limit ${stored})
      ) one) known`,
      [
        ...[epoch, size, streamName('business', businessId)],
        ...[jobs.map(({ jobId }) => streamName('job', jobId)), jobs.map((job) => job.first)],
      ],
    ),
  );
  const sizes = new Map(rows.map((row) => [row.n, row.sizes]));
  return new Map(jobs.map(({ jobId }, at) => [jobId, sizes.get(at + 1) ?? []]));
}

/** The sizes of the newest epoch's checkpoints next to a size, below and above it; null where there is none. */
export async function findSizesAround(
  db: Pool,
  size: number,
): Promise<Readonly<{ below: number | null; above: number | null }>> {
  const ofEpoch = 'from proof.checkpoints where epoch = (select max(epoch) from proof.checkpoints)';
  const { rows } = await db.query<{ below: string | null; above: string | null }>(
    plannedOnce(
      `select (select max(size) ${ofEpoch} and size < $1) as below, (select min(size) ${ofEpoch} and size > $1) as above`,
      [size],
    ),
  );
  const numberOf = (text: string | null | undefined) => (text == null ? null : Number(text));
  return { below: numberOf(rows[0]?.below), above: numberOf(rows[0]?.above) };
}

/** For each of these sizes the root, and the hashes that lead to the log of `to` leaves, which the tree has reached. */
export async function proveSizes(
  db: Pool,
  log: LeafReader,
  { sizes, to }: Readonly<{ sizes: readonly number[]; to: number }>,
): Promise<ProvenSize[]> {
  const subtree = remembered(storedSubtrees(db, log));
  const proven: ProvenSize[] = [];
  for (const size of sizes) proven.push(await provenSize(subtree, size, to));
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
