import { Pool } from 'pg';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import { startEmbeddedPostgres } from '../providers/database/embedded-postgres.ts';

/** No request's query may take longer, in milliseconds; projections and rebuilds may. */
const STATEMENT_TIMEOUT = 5_000;
/** How long a connection may take, in milliseconds: an outage is answered, not waited for. */
const CONNECT_TIMEOUT = 2_000;
const MIGRATION_TIMEOUT = 5_000;

export type Database = Readonly<{
  url: string;
  /** For what requests ask. */
  requests: Pool;
  /** For the log and the projections, so that a rush of requests cannot starve them. */
  log: Pool;
  close(): Promise<void>;
}>;

/** Brings a database to the shape that the code needs: `migrate` of `migrations/run.ts`, handed in by whoever composes. */
type Migrate = (connectionString: string) => Promise<unknown>;

/**
 * Connects to `DATABASE_URL`, or starts Postgres in the data folder, and migrates.
 * Throws ConfigError, without the address's password, when the configured database cannot be used.
 */
export async function openDatabase(config: Config, logger: Logger, migrate: Migrate): Promise<Database> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir });
  const url = embedded?.url ?? config.databaseUrl ?? '';
  try {
    await migrate(withTimeout(url));
  } catch (error) {
    await embedded?.stop();
    throw config.databaseUrl ? unusable(error) : error;
  }
  const requests = openPool(url, logger, { max: 12, statement_timeout: STATEMENT_TIMEOUT });
  const log = openPool(url, logger, { max: 12 });
  return {
    url,
    requests,
    log,
    async close() {
      await Promise.all([requests.end(), log.end()]);
      await embedded?.stop();
    },
  };
}

function openPool(url: string, logger: Logger, options: { max: number; statement_timeout?: number }): Pool {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT, ...options });
  // Without a listener an idle connection that the server drops would end the process.
  pool.on('error', (error) => {
    logger.warn({ event: 'database-connection-lost', code: codeOf(error) });
  });
  return pool;
}

function withTimeout(url: string): string {
  const bounded = new URL(url);
  if (!bounded.searchParams.has('connect_timeout')) {
    bounded.searchParams.set('connect_timeout', String(MIGRATION_TIMEOUT / 1_000));
  }
  return bounded.href;
}

function unusable(error: unknown): ConfigError {
  const code = codeOf(error);
  return new ConfigError(`Configuration: DATABASE_URL cannot be used${code ? ` (${code})` : ''}.`, {
    cause: error,
  });
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
