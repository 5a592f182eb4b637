import type { PoolClient } from 'pg';
import { endSession, newSession } from './session.ts';
import { plannedOnce } from './statement.ts';

/** The locks that are a number: one list, so that no two parts take the same. Files of SQL name theirs besides. */
export const lockNumbers = {
  /** While one process migrates the others wait. */
  migrations: 8_833_001,
  /** Shared by the processes that use the Postgres of a data folder. */
  managedServer: 8_833_002,
  /** `roles.sql` has 8833004. */
  loginPasswords: 8_833_005,
  /** Processes that start together make the tables of the read models once. */
  readModelTables: 8_833_006,
  /** Of `event_store.append`: while one process holds it, no other appends. A bigint, as text. */
  append: '7310579643204',
} as const;

/** Waits for the locks of these names, one after the other, and holds them until the transaction of `db` ends. */
export async function lockUntilCommit(db: PoolClient, ...names: readonly string[]): Promise<void> {
  await db.query(
    plannedOnce(
      'select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) with ordinality as names(name, n) order by n',
      [names],
    ),
  );
}

/** The class of the locks that a session holds by name: `pg_try_advisory_lock(class, hash of the name)`. */
export const lockClass = 5_600_357;

/** The server looks after a silent client this often, so that a machine that vanished holds no lock for longer than 8 s. */
const watchful = 'set tcp_keepalives_idle = 4; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 2';

/** A connection that holds locks. Postgres lets go of them when it dies, however the process ended. */
export type LockSession = Readonly<{
  /** Aborts when the connection is gone, and its locks with it. */
  lost: AbortSignal;
  /** Takes those of the named locks that are free, and answers their names. */
  take(names: readonly string[]): Promise<string[]>;
  /** Waits until the named lock is free, and takes it. */
  wait(name: string): Promise<void>;
  close(): Promise<void>;
}>;

export type HeldLock = Readonly<{ lost: AbortSignal; release(): Promise<void> }>;

/** Connects; throws what the connection throws. `purpose` is the session's name in `pg_stat_activity`, after `ute`. */
export async function openLockSession(connectionString: string, purpose: string): Promise<LockSession> {
  const client = newSession(connectionString, purpose);
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  try {
    await client.connect();
    await client.query(watchful);
  } catch (error) {
    await endSession(client);
    throw error;
  }
  return {
    lost: lost.signal,
    async take(names) {
      const { rows } = await client.query<{ name: string; held: boolean }>(
        'select name, pg_try_advisory_lock($1, hashtext(name)) as held from unnest($2::text[]) as name',
        [lockClass, names],
      );
      return rows.filter(({ held }) => held).map(({ name }) => name);
    },
    async wait(name) {
      await client.query('select pg_advisory_lock($1, hashtext($2))', [lockClass, name]);
    },
    close: () => endSession(client),
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

/** Does the work while no other session holds the lock of this name: waits for it, on a connection of its own. */
export async function whileLocked<T>(
  connectionString: string,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const session = await openLockSession(connectionString, name);
  try {
    await session.wait(name);
    return await work();
  } finally {
    await session.close();
  }
}
