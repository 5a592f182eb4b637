import { Client, type Pool, type PoolClient } from 'pg';
import { isOutage } from './outage.ts';

export type TransactionOptions = Readonly<{
  /** All its statements see what was committed before the first; writing a row that has changed since fails with 40001. */
  isRepeatable?: boolean;
  /** After a crash of Postgres the last such transactions may be missing, as a whole and none without all that follow it. */
  mayBeLost?: boolean;
}>;

/**
 * Runs `work` in one transaction on one connection: committed when it answers, rolled back when it throws.
 * A connection that is lost or hangs is given up, which rolls back too, without waiting for it; its error is thrown then.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (db: PoolClient) => Promise<T>,
  { isRepeatable = false, mayBeLost = false }: TransactionOptions = {},
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

/** How long the database may take to accept a session outside a pool, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;

/**
 * A session of its own for what a pool cannot give: locks, LISTEN, work before there is a pool. Not connected yet. A loss
 * between two statements rejects the next one and ends no process.
 * @param name shown in `pg_stat_activity`, after `ute`
 */
export function newSession(connectionString: string, name: string): Client {
  const client = new Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: `ute ${name}`,
  });
  client.on('error', () => {});
  return client;
}

/** Ends a session. A server that is gone does not answer: it is given a second. */
export async function endSession(client: Client): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 1_000);
  });
  await Promise.race([client.end().catch(() => {}), late]);
  clearTimeout(timer);
}
