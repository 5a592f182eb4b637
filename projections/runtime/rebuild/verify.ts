import type { Pool, PoolClient } from 'pg';
import { type Position, START } from '#core/event-store/port.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type Build, liveBuild, sideBuild } from '#projections/runtime/build.ts';
import { lockCheckpoint, openCheckpoint } from '#projections/runtime/follow/checkpoint.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { load, loadFromStart } from './load.ts';
import type { RebuildOptions } from './rebuild.ts';
import { type RebuildDeps, withSideBuilds } from './side-build.ts';

/** Rows of a table that only the live one has, and rows that only the one built anew has. */
export type TableDifference = Readonly<{ table: string; onlyLive: number; onlyRebuilt: number }>;
export type Verification = Readonly<{ position: Position; differences: readonly TableDifference[] }>;

/**
 * Builds a projection anew into tables of its own and compares every row with the live tables at the same position.
 * No differences: the read model is what the log says. The live worker waits only for the last few events.
 */
export async function verify(
  deps: RebuildDeps,
  projection: Projection,
  { signal, pace, onProgress }: RebuildOptions = {},
): Promise<Verification> {
  return withSideBuilds(deps, [projection], 'check', signal, async ({ builds, alive }) => {
    const build = sideBuild(projection, 'check');
    const live = liveBuild(projection);
    const tell = (position: Position) => onProgress?.(position, 'reading');
    const options = { signal: alive, pace, onProgress: tell };
    const { position: now } = await openCheckpoint(deps.pool, live.key, projection.version);
    const loaded = await loadFromStart(deps, builds, { ...options, upTo: now });
    return inSnapshot(deps.pool, async (snapshot) => {
      const look = async (db: PoolClient) => {
        const upTo = (await lockCheckpoint(db, live.key))?.position ?? START;
        await load(deps, builds, loaded, { ...options, upTo });
        // The first statement fixes what the snapshot sees: both builds, at one position.
        await snapshot.query('select 1');
        return upTo;
      };
      const position = await inTransaction(deps.pool, look, { once: true });
      return { position, differences: await compareTables(snapshot, projection, build) };
    });
  });
}

async function compareTables(
  db: PoolClient,
  projection: Projection,
  build: Build,
): Promise<TableDifference[]> {
  const differences: TableDifference[] = [];
  for (const { name: table, columns } of projection.tables) {
    const [live, rebuilt] = [liveBuild(projection).table(table), build.table(table)];
    const named = Object.keys(columns).join(', ');
    const onlyLive = await countExtra(db, named, live, rebuilt);
    const onlyRebuilt = await countExtra(db, named, rebuilt, live);
    if (onlyLive + onlyRebuilt > 0) differences.push({ table, onlyLive, onlyRebuilt });
  }
  return differences;
}

async function countExtra(db: PoolClient, columns: string, table: string, other: string): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from (select ${columns} from ${table} except all select ${columns} from ${other}) as extra`,
  );
  return rows[0]?.n ?? 0;
}

function inSnapshot<T>(pool: Pool, work: (db: PoolClient) => Promise<T>): Promise<T> {
  const run = async (db: PoolClient) => {
    await db.query('set transaction isolation level repeatable read, read only');
    return work(db);
  };
  return inTransaction(pool, run, { once: true });
}
