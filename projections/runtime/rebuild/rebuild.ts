import type { PoolClient } from 'pg';
import type { LogOrigin } from '#core/event-store/log-origin.ts';
import { type Position, START } from '#core/event-store/port.ts';
import { backOff, pause } from '#core/kernel/pause.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type Build, exchangeLock, liveBuild } from '#projections/runtime/build.ts';
import type { ProjectionDeps } from '#projections/runtime/follow/batch.ts';
import {
  lockCheckpoint,
  moveCheckpoint,
  openCheckpoint,
  readCheckpoint,
} from '#projections/runtime/follow/checkpoint.ts';
import { sendNotification } from '#projections/runtime/notify.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { type LoadOptions, load, loadFromStart } from './load.ts';
import type { Pace } from './pace.ts';
import { indexSideTables, type RebuildDeps, replaceLiveTables, withSideBuilds } from './side-build.ts';

export { type RebuildDeps, RebuildRunningError } from './side-build.ts';

/** What a rebuild is busy with. */
export type RebuildStep = 'reading' | 'indexing' | 'replacing';

export type RebuildOptions = Readonly<{
  signal?: AbortSignal | undefined;
  /** Without one, as fast as it goes. */
  pace?: Pace | undefined;
  onProgress?: ((position: Position, step: RebuildStep) => void) | undefined;
  /** Called when a projection's new tables are in place: from then on they are what is read. */
  onReplaced?: ((name: string, position: Position) => void) | undefined;
}>;

/** `rebuildTogether` for one projection; answers the position reached. */
export async function rebuild(
  deps: RebuildDeps,
  projection: Projection,
  options: RebuildOptions = {},
): Promise<Position> {
  const [reached = START] = await rebuildTogether(deps, [projection], options);
  return reached;
}

/**
 * Builds projections anew from the first event in one pass over the log, beside the live tables, and puts the results
 * in their place, one projection after the other. Readers and the live worker go on meanwhile; killed before that, it
 * has changed nothing. Answers the positions reached.
 */
export async function rebuildTogether(
  deps: RebuildDeps,
  projections: readonly Projection[],
  { signal, pace, onProgress, onReplaced }: RebuildOptions = {},
): Promise<Position[]> {
  return withSideBuilds(deps, projections, 'next', signal, async ({ builds, alive }) => {
    const { store } = deps;
    const tell = (step: RebuildStep) => (position: Position) => onProgress?.(position, step);
    const paced = { signal: alive, pace };
    // Each pass ends where the log ended when it began: writers that are faster cannot keep it going for ever.
    const pass = async (from: Position, step: RebuildStep, as: Pick<LoadOptions, 'signal' | 'pace'>) =>
      load(deps, builds, from, { ...as, upTo: await store.head(), onProgress: tell(step) });
    const loaded = await loadFromStart(deps, builds, {
      ...paced,
      upTo: await store.head(),
      onProgress: tell('reading'),
    });
    tell('indexing')(loaded);
    await indexSideTables(deps.pool, builds, paced);
    const caughtUp = await pass(loaded, 'replacing', paced);
    const almost = await pass(caughtUp, 'replacing', { signal: alive });
    const reached: Position[] = [];
    for (const { projection, build } of builds) {
      const position = await exchangeWhenFree(deps, projection, build, almost, alive);
      onReplaced?.(projection.name, position);
      reached.push(position);
    }
    return reached;
  });
}

type Followers = Readonly<{ projections: readonly Projection[]; processes: readonly Projection[] }>;

/** What was taken back to the start of the log, and what was built anew. */
export type Accepted = Readonly<{ takenBack: readonly string[]; rebuilt: readonly string[] }>;

/**
 * Takes a log that was restored from a copy for the installation's own: every reader whose position it does not have is
 * built anew (read models), or reads from its start (processes). Nothing is sent twice: a message has the id of
 * its event, its row in the outbox stays for ever, and what is older than a day is no news. Killed, the same call goes on.
 */
export async function acceptRestored(
  deps: RebuildDeps,
  origin: LogOrigin,
  { projections, processes }: Followers,
  options: RebuildOptions = {},
): Promise<Accepted> {
  const lost = await origin.lost();
  const isLost = ({ name }: Projection) => lost.some((reader) => reader.name === name);
  const takenBack: string[] = [];
  for (const { name, position } of lost) {
    const process = processes.find((one) => one.name === name);
    if (process === undefined) continue;
    const checkpoint = { ...liveBuild(process), version: process.version };
    await inTransaction(deps.pool, (db) => moveCheckpoint(db, checkpoint, position, START));
    takenBack.push(name);
  }
  const ahead = projections.filter(isLost);
  if (ahead.length > 0) await rebuildTogether(deps, ahead, options);
  await origin.note();
  return { takenBack, rebuilt: ahead.map(({ name }) => name) };
}

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
      const reached = await inTransaction(
        deps.pool,
        (db) => exchange(db, deps, projection, build, from, signal),
        { once: true },
      );
      deps.progress?.tell({
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
