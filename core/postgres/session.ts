import type { EventEmitter } from 'node:events';
import { Client, Pool, type PoolClient, type PoolConfig } from 'pg';
import { retryConflicts } from './conflict.ts';
import { noteServerError } from './full-disk.ts';
import { differingStatement, pinStatements, type Settings, sessionSetting, settingsOf } from './settings.ts';

/** How long the database may take to accept a session outside a pool, and to take its settings, in milliseconds. */
const CONNECT_TIMEOUT = 5_000;

type Connected = (error?: Error) => void;
type Bounded = Readonly<{ text: string; query_timeout: number }>;

/**
 * A session with Postgres that relies on no default of database, login or server: what it takes for granted is set before
 * anything is asked (`settings.ts`). A loss between two statements rejects the next one and ends no process.
 */
class Session extends Client {
  /** What it sets besides what all do. */
  readonly own: Settings;
  readonly #name = crypto.randomUUID();

  constructor(options: PoolConfig = {}) {
    super(options);
    this.own = settingsOf(options.connectionString ?? '');
    // Without a listener, a connection that is lost while nothing is asked takes the process with it.
    this.on('error', () => {});
  }

  override connect(): Promise<Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<Client> | undefined {
    const connected = this.#connect();
    if (!callback) return connected;
    connected.then(() => callback(), callback);
    return undefined;
  }

  async #connect(): Promise<Client> {
    // The driver hands each error to one statement: a full disk concerns them all.
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => noteServerError(code));
    await super.connect();
    try {
      const pins: Bounded = {
        text: pinStatements(this.own, this.#name),
        query_timeout: CONNECT_TIMEOUT,
      };
      await super.query(pins);
      return this;
    } catch (error) {
      void this.end().catch(() => {});
      throw error;
    }
  }

  /** The names of settings that are not what this session set, or that it cannot set and relies on. */
  async differing(): Promise<string[]> {
    const { rows } = await this.query<{ name: string }>(differingStatement(this.own, this.#name));
    return rows.map(({ name }) => name);
  }
}

/** A pool of such sessions. A statement of its own that met a conflict is sent again. */
export class SessionPool extends Pool {
  constructor(options: PoolConfig) {
    super({ ...options, Client: Session });
    const send = this.query.bind(this) as (...asked: unknown[]) => Promise<unknown>;
    this.query = ((...asked: unknown[]) => retryConflicts(() => send(...asked))) as Pool['query'];
  }
}

/**
 * The names of settings that sessions of a pool of ours rely on and that are otherwise in one of them: what it may not set, and what a
 * pooler took from it. None where all is well.
 */
export async function differingSettings(pool: Pool): Promise<string[]> {
  const client: unknown = await pool.connect();
  if (!(client instanceof Session)) throw new TypeError('not a pool of sessions');
  const { release } = client as unknown as PoolClient;
  try {
    const names = await client.differing();
    release();
    return names;
  } catch (error) {
    release(error as Error);
    throw error;
  }
}

/** Whether a pooler gives the statements of one session to another: what one of them set is then not what the other runs with. */
export async function sharesSessions(pool: Pool): Promise<boolean> {
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  try {
    for (const client of [...clients, ...clients]) {
      if (!(client instanceof Session)) throw new TypeError('not a pool of sessions');
      if ((await client.differing()).includes(sessionSetting)) return true;
    }
    return false;
  } finally {
    for (const client of clients) client.release();
  }
}

/**
 * A session of its own for what a pool cannot give: locks, LISTEN, work before there is a pool. Not connected yet.
 * @param name shown in `pg_stat_activity`, after `ute`
 */
export function newSession(connectionString: string, name: string): Client {
  return new Session({
    connectionString,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    application_name: `ute ${name}`,
  });
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
