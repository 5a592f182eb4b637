import type { Pool, PoolClient } from 'pg';

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws.
 * When the connection is lost on the way, throws the connection's error instead of the work's.
 */
export async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  let lost: Error | undefined;
  const onError = (error: Error) => {
    lost = error;
  };
  // Without a listener, a connection that dies between two statements takes the process with it.
  db.on('error', onError);
  try {
    await db.query('begin');
    const result = await work(db);
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback').catch((rollbackError: Error) => {
      lost ??= rollbackError;
    });
    throw lost ?? error;
  } finally {
    db.off('error', onError);
    db.release(lost);
  }
}
