import type { Pool } from 'pg';
import { tryLock } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { keyOf, sideBuild } from '#projections/runtime/build.ts';
import type { ProjectionDeps } from '#projections/runtime/follow/batch.ts';
import { openCheckpoint } from '#projections/runtime/follow/checkpoint.ts';
import { rebuildLock } from '#projections/runtime/locks.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import type { Target } from './load.ts';
import { createSideTables, dropBuild, namesOf } from './side-tables.ts';

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
