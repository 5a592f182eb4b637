import { Client } from 'pg';

/** The class of the product's projection locks: `pg_try_advisory_lock(class, hash of the name)`. */
export const lockClass = 5_600_357;

export type HeldLock = Readonly<{
  /** Aborts when the connection that holds the lock is gone, and the lock with it. */
  lost: AbortSignal;
  release(): Promise<void>;
}>;

/**
 * Takes a session lock on a connection of its own, null when somebody else has it.
 * Postgres lets go of it when the connection dies, however the process ended.
 */
export async function tryLock(connectionString: string, name: string): Promise<HeldLock | null> {
  const client = new Client({ connectionString, keepAlive: true, application_name: `ute ${name}` });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  await client.connect();
  const release = () => client.end().catch(() => {});
  try {
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as held',
      [lockClass, name],
    );
    if (rows[0]?.held) return { lost: lost.signal, release };
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return null;
}
