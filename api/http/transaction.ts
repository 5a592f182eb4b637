import type { Pool, PoolClient } from 'pg';

/** Runs `work` in one transaction on one connection: committed when it answers, rolled back when it throws. */
export async function inTransaction<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const db = await pool.connect();
  let broken: Error | undefined;
  try {
    await db.query('begin');
    const result = await work(db);
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    db.release(broken);
  }
}
