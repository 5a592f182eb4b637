import type { PoolClient } from 'pg';
import type { Position } from '#core/event-store/port.ts';
import { backOff, pause } from '#core/kernel/pause.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type Build, liveBuild } from '#projections/runtime/build.ts';
import type { ProjectionDeps } from '#projections/runtime/follow/batch.ts';
import { lockCheckpoint, openCheckpoint, readCheckpoint } from '#projections/runtime/follow/checkpoint.ts';
import { exchangeLock } from '#projections/runtime/locks.ts';
import { notifyInProcess, sendNotification } from '#projections/runtime/notify.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { load } from './load.ts';
import { replaceLiveTables } from './side-tables.ts';

/** How often the live tables may be busy before it is given up. */
const mostRefusals = 40;

/** Puts a build that has come to `from` in the place of the live tables, as soon as they are free for that moment. */
export async function exchangeWhenFree(
  deps: ProjectionDeps,
  projection: Projection,
  build: Build,
  from: Position,
  signal: AbortSignal,
): Promise<Position> {
  for (let refusals = 1; ; refusals++) {
    try {
      signal.throwIfAborted();
      const reached = await inTransaction(deps.pool, (db) =>
        exchange(db, deps, projection, build, from, signal),
      );
      notifyInProcess(deps.pool, {
        projection: liveBuild(projection).key,
        position: reached,
        hasWritten: true,
      });
      return reached;
    } catch (error) {
      if (!isLockTimeout(error) || refusals === mostRefusals) throw error;
      await pause(backOff(refusals), signal);
      from = (await readCheckpoint(deps.pool, build.key))?.position ?? from;
    }
  }
}

/** The live checkpoint is held from here to the commit: the live writer waits, then goes on from the new position. */
async function exchange(
  db: PoolClient,
  deps: ProjectionDeps,
  projection: Projection,
  build: Build,
  from: Position,
  signal: AbortSignal,
): Promise<Position> {
  const live = liveBuild(projection);
  const { version } = projection;
  await lockUntilCommit(db, exchangeLock(live.key));
  await openCheckpoint(db, live.key, version);
  await lockCheckpoint(db, live.key);
  const upTo = await deps.store.head();
  const position = await load(deps, [{ projection, build }], from, { signal, upTo });
  if ((await lockCheckpoint(db, build.key))?.position !== position) {
    throw new Error(`another process builds ${build.key}`);
  }
  // A long query of a reader must not make every other reader queue behind the exchange.
  await db.query("set local lock_timeout = '100ms'");
  await replaceLiveTables(db, projection, build);
  await db.query('delete from read.projection_parked where projection = $1', [live.key]);
  await db.query('update read.projection_parked set projection = $1 where projection = $2', [
    live.key,
    build.key,
  ]);
  await db.query('update read.checkpoints set position = $1, version = $2 where projection = $3', [
    position,
    version,
    live.key,
  ]);
  await sendNotification(db, { projection: live.key, position, changes: [], replaced: true });
  return position;
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03';
}
