import type { Pool, PoolClient } from 'pg';
import { fullRoot, growingTree, leafHash } from '#core/crypto/merkle.ts';
import { openNote } from '#core/crypto/note.ts';
import { START } from '#core/event-store/port.ts';
import type { LeafReader, LogLeaf } from '#core/event-store/raw-log.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type CheckpointBody, readCheckpoint } from '#core/proof/checkpoint.ts';
import { contains } from './checkpoints.ts';
import { isBinding, readEpochs } from './epochs.ts';
import { type WalkOptions, walkLeaves } from './roots.ts';
import { FANOUT, insertMarks, insertNodes, LOWEST_LEVEL, marksOf, readProgress, sha256 } from './tree.ts';

export type RebuiltTree = Readonly<{
  /** Leaves of the tree as the log has it. */
  size: number;
  /** Subtrees of 256 leaves whose stored root was another. */
  differing: readonly number[];
  /** Checkpoints of the database that do not fit the log; then nothing was written, and a stopped tree stays stopped. */
  misfits: readonly CheckpointBody[];
}>;

/**
 * Computes the tree from the log, and puts it in the place of the stored one, as far as that had come. A tree that was
 * stopped goes on, if every checkpoint in the database fits the log. Waits for no lock: who grows the tree meanwhile
 * finds that it has moved.
 */
export async function rebuildTree(pool: Pool, log: LeafReader, options: WalkOptions): Promise<RebuiltTree> {
  const checkpoints = await readCheckpoints(pool);
  return inTransaction(pool, async (db) => {
    await db.query('select from proof.progress for update');
    const { size } = await readProgress(db);
    const built = await build(log, size, checkpoints, options);
    const misfits = [...built.misfits, ...checkpoints.filter((one) => one.size > built.size)];
    const differing = await differingNodes(db, built.nodes);
    if (misfits.length > 0) return { size: built.size, differing, misfits };
    await db.query('delete from proof.nodes');
    await db.query('delete from proof.marks');
    await insertNodes(db, LOWEST_LEVEL, 0, built.nodes);
    await insertMarks(db, built.marks);
    await db.query(
      'update proof.progress set size = $1, position = $2, tail = $3, stopped = null, stopped_at = null',
      [built.size, built.position, Buffer.concat(built.tail)],
    );
    return { size: built.size, differing, misfits };
  });
}

async function readCheckpoints(pool: Pool): Promise<CheckpointBody[]> {
  const { rows } = await pool.query<{ note: string }>('select note from proof.checkpoints order by size');
  const epochs = await readEpochs(pool);
  const bodies = rows.flatMap(({ note }) => readCheckpoint(openNote(note, [])?.text ?? '') ?? []);
  return bodies.filter((body) => isBinding(epochs, body));
}

async function build(
  log: LeafReader,
  size: number,
  checkpoints: readonly CheckpointBody[],
  options: WalkOptions,
) {
  const bySize = Map.groupBy(checkpoints, (one) => one.size);
  const tree = growingTree(sha256);
  const nodes: Uint8Array[] = [];
  const marks: ReturnType<typeof marksOf>[number][] = [];
  const misfits: CheckpointBody[] = [];
  let tail: Uint8Array[] = [];
  let position = START;
  const take = ({ hash }: LogLeaf) => {
    const leaf = leafHash(sha256, hash);
    tree.push(leaf);
    tail.push(leaf);
    if (tail.length === FANOUT) {
      nodes.push(fullRoot(sha256, tail));
      tail = [];
    }
    misfits.push(...(bySize.get(tree.size()) ?? []).filter((one) => !contains(tree.root(), one)));
  };
  for await (const page of walkLeaves(log, options, size)) {
    marks.push(...marksOf({ size: tree.size(), position }, page));
    for (const leaf of page) take(leaf);
    position = page.at(-1)?.position ?? position;
  }
  return { size: tree.size(), position, nodes, marks, tail, misfits };
}

async function differingNodes(db: PoolClient, nodes: readonly Uint8Array[]): Promise<number[]> {
  const { rows } = await db.query<{ n: string }>(
    plannedOnce(
      `select built.n - 1 as n from unnest($1::bytea[]) with ordinality as built (hash, n)
      left join proof.nodes stored on stored.level = $2 and stored.n = built.n - 1
      where stored.hash is distinct from built.hash order by 1`,
      [nodes, LOWEST_LEVEL],
    ),
  );
  return rows.map(({ n }) => Number(n));
}
