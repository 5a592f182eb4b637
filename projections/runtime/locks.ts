import { Client } from 'pg';

/** Held by the process that keeps the live tables of a key up. */
export const leadLock = (key: string): string => `lead ${key}`;

/** Held while the tables of a key are built anew or verified, by which others know that it is going on. */
export const rebuildLock = (key: string): string => `rebuild ${key}`;

/** Shared by all processes that read the tables of a key. */
export const readerLock = (key: string): string => `use ${key}`;

/** The class of the product's projection locks: `pg_try_advisory_lock(class, hash of the name)`. */
export const lockClass = 5_600_357;

/** The server looks after a silent client this often, so that a machine that vanished holds no lock for longer than 8 s. */
const watchful = 'set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 2';
/** How long the database may take to accept a connection, in milliseconds. */
const timeout = 5_000;

/** A connection that holds locks. Postgres lets go of them when it dies, however the process ended. */
export type LockSession = Readonly<{
  /** Aborts when the connection is gone, and its locks with it. */
  lost: AbortSignal;
  /** Takes those of the named locks that are free, and answers their names. */
  take(names: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}>;

export type HeldLock = Readonly<{ lost: AbortSignal; release(): Promise<void> }>;

export async function openLockSession(connectionString: string, purpose: string): Promise<LockSession> {
  const client = new Client({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: timeout,
    application_name: `ute ${purpose}`,
  });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  await client.connect();
  await client.query(watchful);
  return {
    lost: lost.signal,
    async take(names) {
      const { rows } = await client.query<{ name: string; held: boolean }>(
        'select name, pg_try_advisory_lock($1, hashtext(name)) as held from unnest($2::text[]) as name',
        [lockClass, names],
      );
      return rows.filter(({ held }) => held).map(({ name }) => name);
    },
    close: () => client.end().catch(() => {}),
  };
}

/** Takes a lock on a connection of its own, null when another session has it. */
export async function tryLock(connectionString: string, name: string): Promise<HeldLock | null> {
  const session = await openLockSession(connectionString, name);
  try {
    const [taken] = await session.take([name]);
    if (taken !== undefined) return { lost: session.lost, release: session.close };
  } catch (error) {
    await session.close();
    throw error;
  }
  await session.close();
  return null;
}
