import type { Pool, PoolClient } from 'pg';
import { type Position, START } from '#core/event-store/port.ts';

export type Checkpoint = Readonly<{ position: Position; version: number }>;

/** The checkpoint of a build; made at the start of the log when there is none. */
export async function openCheckpoint(
  db: Pool | PoolClient,
  key: string,
  version: number,
): Promise<Checkpoint> {
  await db.query(
    'insert into read.checkpoints (projection, version, position) values ($1, $2, $3) on conflict do nothing',
    [key, version, START],
  );
  const { rows } = await db.query<Checkpoint>(
    'select position, version from read.checkpoints where projection = $1',
    [key],
  );
  return rows[0] ?? { position: START, version };
}

/**
 * Locks the checkpoint to the end of the transaction and answers its position, null when there is none.
 * Every writer of the build's tables comes by here first, so there is one at a time.
 */
export async function lockCheckpoint(db: PoolClient, key: string): Promise<Position | null> {
  const { rows } = await db.query<{ position: Position }>(
    'select position from read.checkpoints where projection = $1 for update',
    [key],
  );
  return rows[0]?.position ?? null;
}

/** Moves the checkpoint, by compare-and-set. Throws when it is no longer where the batch began. */
export async function moveCheckpoint(
  db: PoolClient,
  key: string,
  from: Position,
  to: Position,
): Promise<void> {
  const { rowCount } = await db.query(
    'update read.checkpoints set position = $1 where projection = $2 and position = $3',
    [to, key, from],
  );
  if (rowCount !== 1) throw new Error(`the checkpoint of ${key} was moved by another writer`);
}
