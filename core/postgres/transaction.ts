import type { Pool, PoolClient } from 'pg';
import { retryConflicts } from './conflict.ts';
import { isOutage } from './outage.ts';

export type TransactionOptions = Readonly<{
  /** All its statements see what was committed before the first; writing a row that has changed since is a conflict. */
  isRepeatable?: boolean;
  /** After a crash of Postgres the last such transactions may be missing, as a whole and none without all that follow it. */
  mayBeLost?: boolean;
  /** `work` does more than a rollback undoes, or decides itself about conflicts: it runs once. */
  once?: boolean;
}>;

/**
 * Runs `work` in one transaction on one connection: committed when it answers, rolled back when it throws. It runs again where
 * Postgres gave it up for the sake of another (`isConflict`), so that what it does besides must bear a repeat.
 * A connection that is lost or hangs is given up, which rolls back too, without waiting for it; its error is thrown then.
 */
export function inTransaction<T>(
  pool: Pool,
  work: (db: PoolClient) => Promise<T>,
  { once = false, ...options }: TransactionOptions = {},
): Promise<T> {
  const run = () => attempt(pool, work, options);
  return once ? run() : retryConflicts(run);
}

async function attempt<T>(
  pool: Pool,
  work: (db: PoolClient) => Promise<T>,
  { isRepeatable = false, mayBeLost = false }: TransactionOptions,
): Promise<T> {
  const db = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  // Without a listener, a connection that dies between two statements takes the process with it.
  db.on('error', onError);
  try {
    const begin = isRepeatable ? 'begin isolation level repeatable read' : 'begin';
    await db.query(mayBeLost ? `${begin}; set local synchronous_commit = off` : begin);
    const result = await work(db);
    await db.query('commit');
    return result;
  } catch (error) {
    if (isOutage(error)) broken ??= error as Error;
    else if (!broken) await db.query('rollback').catch(onError);
    throw broken ?? error;
  } finally {
    db.off('error', onError);
    db.release(broken);
  }
}
