import type { PoolClient } from 'pg';
import { type Position, START } from '#core/event-store/port.ts';
import { tryLock } from './advisory-lock.ts';
import { announce } from './announce.ts';
import { type Build, liveBuild, sideBuild } from './build.ts';
import { lockCheckpoint, openCheckpoint } from './checkpoint.ts';
import { load } from './load.ts';
import { backOff, pause } from './pause.ts';
import { poke } from './poke.ts';
import type { ProjectionDeps } from './project-batch.ts';
import type { Projection } from './projection.ts';
import { createSideTables, dropSideTables, indexSideTables, replaceLiveTables } from './side-tables.ts';
import { inTransaction } from './transaction.ts';

export type RebuildDeps = ProjectionDeps & Readonly<{ connectionString: string }>;

export type RebuildOptions = Readonly<{
  signal?: AbortSignal;
  onProgress?: (position: Position) => void;
}>;

/** Somebody else is rebuilding or verifying the same projection. */
export class RebuildRunningError extends Error {
  override readonly name = 'RebuildRunningError';
}

/** The name of the lock that a rebuild of a projection holds, by which others know that it is going on. */
export function rebuildLock(projection: string): string {
  return `rebuild ${projection}`;
}

/**
 * Builds a projection anew from the first event, beside the live tables, and puts the result in their place.
 * Readers and the live worker go on meanwhile; killed on the way, it has changed nothing. Answers the position reached.
 */
export async function rebuild(
  deps: RebuildDeps,
  projection: Projection,
  { signal, onProgress }: RebuildOptions = {},
): Promise<Position> {
  return withSideBuild(deps, projection, 'next', signal, async (build, alive) => {
    const options = { signal: alive, onProgress };
    const loaded = await load(deps, projection, build, START, options);
    await indexSideTables(deps.pool, projection, build);
    const caughtUp = await load(deps, projection, build, loaded, options);
    return replace(deps, projection, build, caughtUp, alive);
  });
}

/** Makes an empty side build under the projection's rebuild lock, and leaves nothing of it behind. */
export async function withSideBuild<T>(
  deps: RebuildDeps,
  projection: Projection,
  kind: 'next' | 'check',
  signal: AbortSignal | undefined,
  work: (build: Build, alive: AbortSignal) => Promise<T>,
): Promise<T> {
  const lock = await tryLock(deps.connectionString, rebuildLock(projection.name));
  if (lock === null) throw new RebuildRunningError(`${projection.name} is being rebuilt already`);
  const build = sideBuild(projection, kind);
  try {
    await inTransaction(deps.pool, async (db) => {
      await createSideTables(db, projection, build);
      await openCheckpoint(db, build.key, projection.version);
    });
    return await work(build, signal ? AbortSignal.any([signal, lock.lost]) : lock.lost);
  } finally {
    // Without the lock, the tables of that name may already be another process's.
    if (!lock.lost.aborted) {
      await inTransaction(deps.pool, (db) => dropSideTables(db, projection, build)).catch(() => {});
    }
    await lock.release();
  }
}

/** Tries until the live tables are free for the moment that the exchange takes. */
async function replace(
  deps: RebuildDeps,
  projection: Projection,
  build: Build,
  from: Position,
  signal: AbortSignal,
): Promise<Position> {
  for (let refusals = 1; ; refusals++) {
    try {
      const reached = await inTransaction(deps.pool, (db) =>
        exchange(db, deps, projection, build, from, signal),
      );
      poke(deps.pool, projection.name, reached);
      return reached;
    } catch (error) {
      if (!isLockTimeout(error) || refusals === 20) throw error;
      await pause(backOff(refusals), signal);
      from = (await openCheckpoint(deps.pool, build.key, projection.version)).position;
    }
  }
}

/** The live checkpoint is held from here to the commit: the live writer waits, then goes on from the new position. */
async function exchange(
  db: PoolClient,
  deps: RebuildDeps,
  projection: Projection,
  build: Build,
  from: Position,
  signal: AbortSignal,
): Promise<Position> {
  const live = liveBuild(projection);
  await openCheckpoint(db, live.key, projection.version);
  await lockCheckpoint(db, live.key);
  const position = await load(deps, projection, build, from, { signal });
  // A long query of a reader must not make every other reader queue behind the exchange.
  await db.query("set local lock_timeout = '1s'");
  await replaceLiveTables(db, projection, build);
  await db.query('delete from read.projection_parked where projection = $1', [live.key]);
  await db.query('update read.projection_parked set projection = $1 where projection = $2', [
    live.key,
    build.key,
  ]);
  await db.query('update read.checkpoints set position = $1, version = $2 where projection = $3', [
    position,
    projection.version,
    live.key,
  ]);
  await announce(db, { projection: projection.name, position, changes: [], replaced: true });
  return position;
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
