import type { Pool, PoolClient } from 'pg';
import { tryLock } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import {
  type Build,
  keyOf,
  liveBuild,
  rebuildLock,
  sideBuild,
  type Target,
  tableOf,
} from '#projections/runtime/build.ts';
import type { ProjectionDeps } from '#projections/runtime/follow/batch.ts';
import { openCheckpoint } from '#projections/runtime/follow/checkpoint.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import {
  createStatement,
  indexNames,
  indexStatements,
  policyStatements,
  sampleStatements,
} from '#projections/runtime/table.ts';
import type { Pace } from './pace.ts';

/** Makes a side build's tables, keys and policies included, secondary indexes not yet. Drops leftovers first. */
export async function createSideTables(db: PoolClient, projection: Projection, build: Build): Promise<void> {
  await dropBuild(db, namesOf(projection), build);
  for (const table of projection.tables) {
    await db.query(createStatement(table, tableOf(projection, table.name), build.ending));
    const quoted = build.table(table.name);
    for (const statement of [...sampleStatements(table, quoted), ...policyStatements(table, quoted)])
      await db.query(statement);
  }
}

/**
 * Builds the secondary indexes of all targets at a time, once the rows are in. Vacuums first: the planner then has its
 * statistics, and pages can be counted off over an index alone.
 */
export async function indexSideTables(
  pool: Pool,
  targets: readonly Target[],
  options: MaintenanceOptions,
): Promise<void> {
  const vacuums = targets.flatMap(({ projection, build }) =>
    projection.tables.map(({ name }) => `vacuum (analyze) ${build.table(name)}`),
  );
  await inParallel(pool, options, vacuums);
  const indexes = targets.flatMap(({ projection, build }) =>
    projection.tables.flatMap((table) =>
      indexStatements(table, tableOf(projection, table.name), build.ending),
    ),
  );
  // Those that take longest first, so that the connections end together.
  const isLong = (statement: string) => Number(statement.includes(' using gin '));
  await inParallel(
    pool,
    options,
    indexes.toSorted((a, b) => isLong(b) - isLong(a)),
  );
}

/** Each statement once, in their order, on two connections; a gentle rebuild has one. */
async function inParallel(
  pool: Pool,
  options: MaintenanceOptions,
  statements: readonly string[],
): Promise<void> {
  const waiting = [...statements];
  const connections = Array.from({ length: options.pace?.kind === 'gentle' ? 1 : 2 }, () =>
    maintain(pool, options, async (db) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await db.query(next);
    }),
  );
  for (const connection of await Promise.allSettled(connections))
    if (connection.status === 'rejected') throw connection.reason;
}

/** Puts the side tables in the place of the live ones, under their names and the names of their keys and indexes. */
export async function replaceLiveTables(db: PoolClient, projection: Projection, build: Build): Promise<void> {
  const live = liveBuild(projection);
  for (const table of projection.tables) {
    const name = tableOf(projection, table.name);
    await db.query(`drop table if exists ${live.table(table.name)}`);
    await db.query(`alter table ${build.table(table.name)} rename to "${name}"`);
    for (const index of indexNames(table, name)) {
      await db.query(`alter index "read"."${index}${build.ending}" rename to "${index}"`);
    }
  }
}

/** The names of a projection's tables, without version. */
export const namesOf = ({ tables }: Projection): string[] => tables.map(({ name }) => name);

/** Removes everything of a build: tables, checkpoint, what it parked. */
export async function dropBuild(db: PoolClient, tables: readonly string[], build: Build): Promise<void> {
  for (const name of tables) await db.query(`drop table if exists ${build.table(name)}`);
  await db.query('delete from read.checkpoints where projection = $1', [build.key]);
  await db.query('delete from read.projection_parked where projection = $1', [build.key]);
}

type MaintenanceOptions = Readonly<{ signal: AbortSignal; pace?: Pace | undefined }>;

/**
 * Runs long statements (vacuum, index builds) on a connection of their own, which ends with them. They are cancelled
 * when `signal` aborts, and end by themselves when this process is killed.
 */
async function maintain(
  pool: Pool,
  { signal, pace }: MaintenanceOptions,
  work: (db: PoolClient) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const db = await pool.connect();
  db.on('error', () => {});
  try {
    const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
    const cancel = () => void pool.query('select pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => {});
    signal.addEventListener('abort', cancel, { once: true });
    try {
      // Not every platform can see that a client is gone.
      await db.query(`set client_connection_check_interval = '1s'`).catch(() => {});
      for (const setting of settings(pace)) await db.query(setting);
      await work(db);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    db.release(true);
  }
}

/** Gentle work takes one core at most. */
function settings(pace: Pace | undefined): string[] {
  return pace?.kind === 'gentle'
    ? ['set max_parallel_maintenance_workers = 0', `set vacuum_cost_delay = '2ms'`]
    : [`set maintenance_work_mem = '128MB'`];
}

export type RebuildDeps = ProjectionDeps & Readonly<{ connectionString: string }>;

/** Another process is rebuilding or verifying the same projection. */
export class RebuildRunningError extends Error {
  override readonly name = 'RebuildRunningError';
}

/** Empty side builds, one per projection in the same order, each under its projection's rebuild lock. */
export type SideBuilds = Readonly<{
  builds: readonly Target[];
  /** Aborts when a lock is lost, or with the caller's signal. */
  alive: AbortSignal;
}>;

/** Makes empty side builds, and leaves nothing of them behind. */
export async function withSideBuilds<T>(
  deps: RebuildDeps,
  projections: readonly Projection[],
  kind: 'next' | 'check',
  signal: AbortSignal | undefined,
  work: (sides: SideBuilds) => Promise<T>,
): Promise<T> {
  await using opened = new AsyncDisposableStack();
  const builds: Target[] = [];
  const signals: AbortSignal[] = signal ? [signal] : [];
  for (const projection of projections) {
    const lock = await tryLock(deps.connectionString, rebuildLock(keyOf(projection)));
    if (lock === null) throw new RebuildRunningError(`${projection.name} is being rebuilt already.`);
    opened.defer(lock.release);
    const build = sideBuild(projection, kind);
    opened.defer(async () => {
      // Without the lock, the tables of that name may already be another process's.
      if (lock.lost.aborted) return;
      await inTransaction(deps.pool, (db) => dropBuild(db, namesOf(projection), build)).catch(() => {});
    });
    await emptySideBuild(deps.pool, { projection, build });
    builds.push({ projection, build });
    signals.push(lock.lost);
  }
  return await work({ builds, alive: AbortSignal.any(signals) });
}

/** Makes a side build's tables and checkpoint, anew where there are some. */
export function emptySideBuild(pool: Pool, { projection, build }: Target): Promise<void> {
  return inTransaction(pool, async (db) => {
    await createSideTables(db, projection, build);
    await openCheckpoint(db, build.key, projection.version);
  });
}
