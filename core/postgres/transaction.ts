import type { Pool, PoolClient } from 'pg';
import { isOutage } from './outage.ts';

/**
 * Runs `work` in one transaction on one connection: committed when it answers, rolled back when it throws.
 * A connection that is lost or hangs is given up, which rolls back too, without waiting for it; its error is thrown then.
 */
export async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  // Without a listener, a connection that dies between two statements takes the process with it.
  db.on('error', onError);
  try {
    await db.query('begin');
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
