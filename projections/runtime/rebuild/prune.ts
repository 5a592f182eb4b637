import type { Pool } from 'pg';
import { openLockSession } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import {
  type Build,
  keyOf,
  leadLock,
  liveBuild,
  readerLock,
  rebuildLock,
  sideBuild,
} from '#projections/runtime/build.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { dropBuild, namesOf } from './side-build.ts';

/** What was dropped and what is still in use, each named as its checkpoint. */
export type Pruning = Readonly<{ dropped: readonly string[]; inUse: readonly string[] }>;

/** A build that may go once all of these locks are free. */
type Candidate = Readonly<{ tables: readonly string[]; build: Build; locks: readonly string[] }>;

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
  for (const candidate of projections.flatMap(candidates)) {
    if (!(await exists(pool, candidate))) continue;
    const { tables, build, locks } = candidate;
    const session = await openLockSession(connectionString, 'prune');
    try {
      const isFree = (await session.take(locks)).length === locks.length;
      if (isFree) await inTransaction(pool, (db) => dropBuild(db, tables, build));
      (isFree ? dropped : inUse).push(build.key);
    } finally {
      await session.close();
    }
  }
  return { dropped, inUse };
}

function candidates(current: Projection): Candidate[] {
  const tables = namesOf(current);
  return Array.from({ length: current.version }, (_, index) => index + 1).flatMap((version) => {
    const one = { name: current.name, version };
    const key = keyOf(one);
    const sides = (['next', 'check'] as const).map((kind) => {
      return { tables, build: sideBuild(one, kind), locks: [rebuildLock(key)] };
    });
    if (version === current.version) return sides;
    return [
      ...sides,
      { tables, build: liveBuild(one), locks: [rebuildLock(key), leadLock(key), readerLock(key)] },
    ];
  });
}

async function exists(pool: Pool, { tables, build }: Candidate): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    `select exists (select from unnest($1::text[]) as name where to_regclass(name) is not null)
       or exists (select from read.checkpoints where projection = $2) as found`,
    [tables.map(build.table), build.key],
  );
  return rows[0]?.found ?? false;
}
