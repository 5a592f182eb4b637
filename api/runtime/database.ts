import type { Pool, PoolClient, PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { excessOf } from '#api/runtime/postgres/logins.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { isOutage } from '#core/postgres/outage.ts';
import { SessionPool, sharesSessions } from '#core/postgres/session.ts';
import { withSettings } from '#core/postgres/settings.ts';
import { type Breaker, createBreaker } from './breaker.ts';
import { type BusinessRows, createBusinessRows } from './business-rows.ts';
import { type Config, ConfigError } from './config/config.ts';
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import type { Logins } from './postgres/logins.ts';

/** How long a connection may take, in milliseconds: an outage is answered, not waited for. */
const CONNECT_TIMEOUT = 1_500;
/** For a start, which has no request to answer and may meet a server that starts too. */
const START_TIMEOUT = 5_000;
/** No request's query may take longer; projections and rebuilds may. */
const REQUEST_SETTINGS = {
  statement_timeout: '1500ms',
  lock_timeout: '1200ms',
  idle_in_transaction_session_timeout: '5s',
};
/** Where the server cannot keep to its own limits, because it hangs or the network does, in milliseconds. */
const REQUEST_LIMITS = { query_timeout: 1_600 };
const PROBE_LIMITS = { max: 1, connectionTimeoutMillis: 1_000, query_timeout: 1_000 };
/** What every session of ours is: it may read and add to the log, and change nothing in it (`migrations/grants.sql`). */
const APPLICATION_ROLE = 'ute_app';

export type Database = Readonly<{
  /** Its sessions have the rights of the application. */
  url: string;
  /** For what requests ask. Sees no row of a table with a policy (decision 038): for those, `rowsOf`. */
  requests: Pool;
  /** For the rows of the business that a request's session belongs to; writes nothing. */
  rowsOf(businessId: string): BusinessRows;
  /** For the log and the projections, which act for all businesses; a rush of requests cannot starve them. */
  log: Pool;
  /** Open while the database is unavailable or not migrated yet. */
  breaker: Breaker;
  /** Brings the database to the shape that the code needs, once; then requests are let through. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}>;

/** Brings a database to the shape that the code needs: `migrate` of `migrations/run.ts`, handed in by the composition root. */
type Migrate = (connectionString: string) => Promise<unknown>;
/** What is done next, with the rights of the application: missing tables of read models, a look at the keys. */
type Complete = (application: Pool) => Promise<unknown>;

/** As `connectDatabase`, and prepared: for a caller that cannot do without it. */
export async function openDatabase(
  config: Config,
  logger: Logger,
  migrate: Migrate,
  complete?: Complete,
): Promise<Database> {
  const database = await connectDatabase(config, logger, migrate, complete);
  try {
    await database.prepare();
    return database;
  } catch (error) {
    await database.close();
    throw isOutage(error) && config.databaseUrl ? unusable(error) : error;
  }
}

/**
 * The database of `DATABASE_URL`, or Postgres started in the data folder. `prepare` throws ConfigError, without the
 * address's password, when the configured one answers and cannot be used, and an outage (`isOutage`) while it is unavailable.
 * In development a start does not wait for an address that does not answer: it was typed wrong.
 */
export async function connectDatabase(
  config: Config,
  logger: Logger,
  migrate: Migrate,
  complete: Complete = async () => {},
): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await managePostgres(config.dataDir, logger);
  const loginUrl = embedded?.url ?? config.databaseUrl ?? '';
  const ownerUrl = embedded?.ownerUrl ?? config.migrationDatabaseUrl;
  // A developer's one login may be the owner's: its sessions give up those rights, though they could take them back.
  const url = ownerUrl === undefined ? withSettings(loginUrl, { role: APPLICATION_ROLE }) : loginUrl;
  const requestUrl = withSettings(url, REQUEST_SETTINGS);
  const isImpatient = config.environment === 'development';
  let isMigrated = false;
  const probes = listened(new SessionPool({ ...poolOptions(loginUrl), ...PROBE_LIMITS }), logger);
  const probe = async () => {
    try {
      await probes.query('select 1');
    } catch (error) {
      if (breaker.isOpen()) void embedded?.revive();
      throw error;
    }
  };
  const breaker: Breaker = createBreaker({ name: 'database', probe, logger });
  const requests = listened(
    new GuardedPool(breaker, { ...poolOptions(requestUrl), ...REQUEST_LIMITS }),
    logger,
  );
  const tenants = listened(
    new GuardedPool(breaker, {
      ...poolOptions(withSettings(requestUrl, { default_transaction_read_only: 'on' })),
      ...REQUEST_LIMITS,
      pipeline: true,
    }),
    logger,
  );
  const log = listened(new SessionPool(poolOptions(forAllBusinesses(url))), logger);
  const migrateBy = async (starting: Pool) => {
    let variable = 'DATABASE_URL';
    try {
      // Before anything is written.
      if (await sharesSessions(starting)) throw new ConfigError(sharedSessions);
      if (config.environment === 'production' || ownerUrl !== undefined) refuse(await excessOf(starting));
      if (ownerUrl !== undefined) variable = 'MIGRATION_DATABASE_URL';
      await migrate(ownerUrl ?? loginUrl);
    } catch (error) {
      throw config.databaseUrl && (isImpatient || !isOutage(error)) ? unusable(error, variable) : error;
    }
  };
  return {
    url,
    requests,
    rowsOf: createBusinessRows(tenants),
    log,
    breaker,
    async prepare() {
      if (isMigrated) return;
      const patient = {
        ...poolOptions(forAllBusinesses(url)),
        connectionTimeoutMillis: START_TIMEOUT,
        max: 2,
      };
      const starting = listened(new SessionPool(patient), logger);
      try {
        await migrateBy(starting);
        await complete(starting);
      } finally {
        await starting.end();
      }
      isMigrated = true;
      breaker.heard();
    },
    async close() {
      breaker.stop();
      await Promise.all([requests.end(), tenants.end(), log.end(), probes.end()]);
      await embedded?.stop();
    },
  };
}

function poolOptions(url: string): PoolConfig {
  return { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT, keepAlive: true, max: 12 };
}

/** The same address for sessions that see the rows of every business, as those do that follow the log. */
export function forAllBusinesses(url: string): string {
  return withSettings(url, { 'ute.business': '*' });
}

function listened<P extends Pool>(pool: P, logger: Logger): P {
  // Without a listener an idle connection that the server drops would end the process.
  pool.on('error', (error) => {
    logger.warn({ event: 'database-connection-lost', code: codeOf(error) });
  });
  return pool;
}

const sharedSessions =
  'Configuration: DATABASE_URL leads through a pooler that gives the statements of one session to another: let it keep sessions whole, in PgBouncer by pool_mode = session (api/operate/stores.md).';

function refuse(excess: string | null): void {
  if (excess === null) return;
  throw new ConfigError(
    `Configuration: the login of DATABASE_URL is ${excess}: let an administrator run api/runtime/postgres/roles.sql, give DATABASE_URL the login ute_app and MIGRATION_DATABASE_URL the login ute_owner (api/operate/stores.md).`,
  );
}

function unusable(error: unknown, variable = 'DATABASE_URL'): Error {
  if (error instanceof Error && ['MigrationError', 'ConfigError'].includes(error.name)) return error;
  const code = codeOf(error);
  return new ConfigError(`Configuration: ${variable} cannot be used${code ? ` (${code})` : ''}.`, {
    cause: error,
  });
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

/** A pool that refuses at once while its database is known to be unavailable: no request queues for connections that do not come. */
class GuardedPool extends SessionPool {
  readonly #breaker: Breaker;

  constructor(breaker: Breaker, options: PoolConfig) {
    super(options);
    this.#breaker = breaker;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    const connected = this.#breaker.isOpen()
      ? Promise.reject<PoolClient>(new OutageError('the database is unavailable'))
      : this.#connectNow();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release.bind(client)),
      (error: Error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #connectNow(): Promise<PoolClient> {
    try {
      return await super.connect();
    } catch (error) {
      this.#breaker.suspect();
      throw error;
    }
  }
}

type ManagedPostgres = Logins &
  Readonly<{
    /** Starts the server again if it has ended, else waits for it to be ready. One call at a time does it for all. */
    revive(): Promise<void>;
    stop(): Promise<void>;
  }>;

/** Starts Postgres in the data folder, for as long as the process lives. */
async function managePostgres(dataDir: string, logger: Logger): Promise<ManagedPostgres> {
  const first = await startEmbeddedPostgres({ dataDir });
  const leases = [first];
  let reviving: Promise<void> | undefined;

  async function startAgain(): Promise<void> {
    try {
      const again = await startEmbeddedPostgres({ dataDir });
      leases.push(again);
      const event = again.url === first.url ? 'database-restarted' : 'database-moved-restart-me';
      logger.warn({ event });
    } catch {
      logger.error({ event: 'database-cannot-restart' });
    }
  }

  return {
    url: first.url,
    ownerUrl: first.ownerUrl,
    revive() {
      reviving ??= startAgain().finally(() => {
        reviving = undefined;
      });
      return reviving;
    },
    async stop() {
      await reviving;
      // The newest lease is the one that counts: as long as it holds, the older ones end nothing.
      for (const lease of leases) await lease.stop();
    },
  };
}
