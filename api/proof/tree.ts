import { hash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import {
  consistencyProof,
  fullRoot,
  leafHash,
  rootOf,
  type Sha256,
  type Subtree,
} from '#core/crypto/merkle.ts';
import type { Position } from '#core/event-store/port.ts';
import type { LeafReader, LogLeaf } from '#core/event-store/raw-log.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { inTransaction } from '#core/postgres/transaction.ts';

/** Leaves under a node of the lowest level that is stored; the levels above hold as many nodes each. */
export const FANOUT = 256;
/** Of those levels the highest. */
export const TOP_LEVEL = 24;
const STORED_LEVELS = [TOP_LEVEL, 16, 8] as const;
/** Of the nodes that are stored, those with 256 leaves. */
export const LOWEST_LEVEL = 8;
const HASH_BYTES = 32;

export const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'buffer');

/** How far the tree is. `position` is that of its last leaf; `tail` has the hashes of the leaves that fill no subtree yet. */
export type Progress = Readonly<{ size: number; position: Position; tail: Buffer; stopped: string | null }>;

/** Another process has grown the tree meanwhile: read the progress again. */
export class TreeMovedError extends Error {
  override readonly name = 'TreeMovedError';
}

export async function readProgress(db: Pool | PoolClient): Promise<Progress> {
  const { rows } = await db.query<{ size: string; position: Position; tail: Buffer; stopped: string | null }>(
    plannedOnce('select size, position::text, tail, stopped from proof.progress', []),
  );
  const [row] = rows;
  if (!row) throw new Error('proof.progress has no row');
  return { ...row, size: Number(row.size) };
}

/**
 * Adds the next leaves, in one transaction: nodes of subtrees that are full now, marks where subtrees begin, and the
 * progress. `leaves` follow `progress.position` in the log. Throws `TreeMovedError`, then nothing was written.
 */
export async function growTree(
  pool: Pool,
  progress: Progress,
  leaves: readonly LogLeaf[],
): Promise<Progress> {
  const [hashes, rest] = chunksOf([
    ...leavesIn(progress.tail),
    ...leaves.map(({ hash }) => leafHash(sha256, hash)),
  ]);
  const full = hashes.map((chunk) => fullRoot(sha256, chunk));
  const next: Progress = {
    size: progress.size + leaves.length,
    position: leaves.at(-1)?.position ?? progress.position,
    tail: Buffer.concat(rest),
    stopped: null,
  };
  await inTransaction(pool, async (db) => {
    const { rowCount } = await db.query(
      plannedOnce(
        `update proof.progress set size = $1, position = $2, tail = $3
        where size = $4 and position = $5 and stopped is null`,
        [next.size, next.position, next.tail, progress.size, progress.position],
      ),
    );
    if (rowCount === 0) throw new TreeMovedError('the tree has grown meanwhile');
    await insertMarks(db, marksOf(progress, leaves));
    await insertNodes(db, LOWEST_LEVEL, Math.floor(progress.size / FANOUT), full);
  });
  return next;
}

type Mark = Readonly<{ n: number; after: Position; at: string }>;

/** Where the subtrees begin whose first leaf is among these. */
export function marksOf(
  { size, position }: Pick<Progress, 'size' | 'position'>,
  leaves: readonly LogLeaf[],
): Mark[] {
  return leaves.flatMap(({ at }, index) =>
    (size + index) % FANOUT === 0
      ? [{ n: (size + index) / FANOUT, after: leaves[index - 1]?.position ?? position, at }]
      : [],
  );
}

export async function insertMarks(db: PoolClient, marks: readonly Mark[]): Promise<void> {
  if (marks.length === 0) return;
  await db.query(
    plannedOnce(
      'insert into proof.marks (n, after_position, at) select * from unnest($1::int[], $2::bigint[], $3::timestamptz[])',
      [marks.map(({ n }) => n), marks.map(({ after }) => after), marks.map(({ at }) => at)],
    ),
  );
}

/** Stores nodes `first`, `first + 1`, … of a level, and those above them that are full with these. */
export async function insertNodes(
  db: PoolClient,
  level: number,
  first: number,
  hashes: readonly Uint8Array[],
): Promise<void> {
  if (hashes.length === 0) return;
  await db.query(
    plannedOnce(
      'insert into proof.nodes (level, n, hash) select $1, $2 + n - 1, hash from unnest($3::bytea[]) with ordinality as new (hash, n)',
      [level, first, hashes],
    ),
  );
  const above = level + LOWEST_LEVEL;
  if (above > TOP_LEVEL) return;
  const [firstAbove, endAbove] = [Math.floor(first / FANOUT), Math.floor((first + hashes.length) / FANOUT)];
  const roots: Uint8Array[] = [];
  for (let n = firstAbove; n < endAbove; n += 1) {
    roots.push(fullRoot(sha256, await readNodes(db, level, n * FANOUT, FANOUT)));
  }
  await insertNodes(db, above, firstAbove, roots);
}

async function readNodes(
  db: Pool | PoolClient,
  level: number,
  first: number,
  amount: number,
): Promise<Buffer[]> {
  const { rows } = await db.query<{ hash: Buffer }>(
    plannedOnce('select hash from proof.nodes where level = $1 and n >= $2 and n < $3 order by n', [
      level,
      first,
      first + amount,
    ]),
  );
  if (rows.length !== amount) throw new Error(`proof.nodes lacks nodes of level ${level} from ${first} on`);
  return rows.map(({ hash }) => hash);
}

/** Looks subtrees up: what is stored in the tables, what lies below in the log, of which it keeps what it has read. */
export function storedSubtrees(db: Pool, log: LeafReader): Subtree {
  const chunks = new Map<number, Promise<Uint8Array[]>>();
  return async (level, n) => {
    const stored = STORED_LEVELS.find((one) => one <= level);
    if (stored !== undefined) {
      const amount = 2 ** (level - stored);
      return fullRoot(sha256, await readNodes(db, stored, n * amount, amount));
    }
    const [first, amount] = [n * 2 ** level, 2 ** level];
    const chunk = Math.floor(first / FANOUT);
    const read = chunks.get(chunk) ?? readChunk(db, log, chunk);
    chunks.set(chunk, read);
    const leaves = (await read).slice(first % FANOUT, (first % FANOUT) + amount);
    if (leaves.length !== amount) throw new Error('the log ends before this leaf');
    return fullRoot(sha256, leaves);
  };
}

/** The hashes of the leaves 256·n to 256·n + 255, as far as the log has them. */
async function readChunk(db: Pool, log: LeafReader, n: number): Promise<Uint8Array[]> {
  const { rows } = await db.query<{ after: Position }>(
    plannedOnce('select after_position::text as after from proof.marks where n = $1', [n]),
  );
  const [mark] = rows;
  if (!mark) throw new Error('this leaf is not in the tree');
  const leaves = await log.readLeaves(mark.after, FANOUT);
  return leaves.map(({ hash }) => leafHash(sha256, hash));
}

/** The root of the first `size` leaves. */
export function storedRoot(db: Pool, log: LeafReader, size: number): Promise<Uint8Array> {
  return rootOf(sha256, storedSubtrees(db, log), size);
}

/** That the log was once of a size, and is the beginning of a later one. */
export type ProvenSize = Readonly<{ size: number; root: Uint8Array; proof: readonly Uint8Array[] }>;

/** The root of the first `size` leaves, and the hashes that lead to the log of `to` leaves. */
export async function provenSize(subtree: Subtree, size: number, to: number): Promise<ProvenSize> {
  const root = await rootOf(sha256, subtree, size);
  return { size, root, proof: await consistencyProof(sha256, subtree, { from: size, to }) };
}

/** Stops the tree: it grows no further and nothing more is signed, until `ute proof rebuild` finds that all is well. */
export async function stopTree(pool: Pool, reason: string): Promise<void> {
  await pool.query('update proof.progress set stopped = $1, stopped_at = now() where stopped is null', [
    reason,
  ]);
}

/** Whether the log still ends the tree as it did: one that was restored from an older copy is shorter, or goes on otherwise. */
export async function isEndInLog(db: Pool, log: LeafReader, progress: Progress): Promise<boolean> {
  const { size, tail } = progress;
  if (size === 0) return true;
  const chunk = Math.floor((size - 1) / FANOUT);
  const leaves = (await readChunk(db, log, chunk)).slice(0, size - chunk * FANOUT);
  if (leaves.length < size - chunk * FANOUT) return false;
  if (tail.length > 0) return Buffer.concat(leaves).equals(tail);
  const [node] = await readNodes(db, LOWEST_LEVEL, chunk, 1);
  return node?.equals(fullRoot(sha256, leaves)) ?? false;
}

function leavesIn(tail: Buffer): Buffer[] {
  return Array.from({ length: tail.length / HASH_BYTES }, (_, n) =>
    tail.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES),
  );
}

/** Whole chunks of 256, and the rest. */
function chunksOf(hashes: readonly Uint8Array[]): [chunks: Uint8Array[][], rest: Uint8Array[]] {
  const end = hashes.length - (hashes.length % FANOUT);
  const chunks = Array.from({ length: end / FANOUT }, (_, n) => hashes.slice(n * FANOUT, (n + 1) * FANOUT));
  return [chunks, hashes.slice(end)];
}
