import type { Pool } from 'pg';
import { type Build, keyOf, liveBuild, sideBuild } from '#projections/runtime/build.ts';
import { leadLock, openLockSession, readerLock, rebuildLock } from '#projections/runtime/locks.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { inTransaction } from '#projections/runtime/transaction.ts';
import { dropBuild } from './side-tables.ts';

/** What was dropped and what is still in use, each named as its checkpoint. */
export type Pruning = Readonly<{ dropped: readonly string[]; inUse: readonly string[] }>;

/** A build that may go once nobody has one of these locks. */
type Candidate = Readonly<{ projection: Projection; build: Build; locks: readonly string[] }>;

/**
 * Drops what killed rebuilds left, and the tables of versions older than this release's that no process follows or
 * reads. Never the present version, nor a newer one.
 */
export async function prune(
  { pool, connectionString }: Readonly<{ pool: Pool; connectionString: string }>,
  projections: readonly Projection[],
): Promise<Pruning> {
  const dropped: string[] = [];
  const inUse: string[] = [];
  for (const { projection, build, locks } of projections.flatMap(candidates)) {
    if (!(await exists(pool, projection, build))) continue;
    const session = await openLockSession(connectionString, 'prune');
    try {
      const isFree = (await session.take(locks)).length === locks.length;
      if (isFree) await inTransaction(pool, (db) => dropBuild(db, projection, build));
      (isFree ? dropped : inUse).push(build.key);
    } finally {
      await session.close();
    }
  }
  return { dropped, inUse };
}

function candidates(current: Projection): Candidate[] {
  return Array.from({ length: current.version }, (_, index) => ({ ...current, version: index + 1 })).flatMap(
    (projection) => {
      const key = keyOf(projection);
      const sides = (['next', 'check'] as const).map((kind) => {
        return { projection, build: sideBuild(projection, kind), locks: [rebuildLock(key)] };
      });
      if (projection.version === current.version) return sides;
      const locks = [rebuildLock(key), leadLock(key), readerLock(key)];
      return [...sides, { projection, build: liveBuild(projection), locks }];
    },
  );
}

async function exists(pool: Pool, { tables }: Projection, build: Build): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    `select exists (select from unnest($1::text[]) as name where to_regclass(name) is not null)
       or exists (select from read.checkpoints where projection = $2) as found`,
    [tables.map(build.table), build.key],
  );
  return rows[0]?.found ?? false;
}
