import type { Pool, PoolClient } from 'pg';
import { type Build, liveBuild, tableOf } from '#projections/runtime/build.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { type MaintenanceOptions, maintain } from './maintenance.ts';

type Definition = Readonly<{ name: string; definition: string }>;

/** Makes a side build's tables as the live ones are, keys included, secondary indexes not yet. Drops leftovers first. */
export async function createSideTables(db: PoolClient, projection: Projection, build: Build): Promise<void> {
  await dropBuild(db, projection, build);
  const live = liveBuild(projection);
  for (const table of projection.tables) {
    const side = build.table(table);
    await db.query(`create table ${side} (like ${live.table(table)}
      including defaults including generated including constraints including storage including compression)`);
    for (const { name, definition } of await keysOf(db, live.table(table))) {
      await db.query(`alter table ${side} add constraint ${sideName(name, build)} ${definition}`);
    }
    await db.query('select migrations.guard_rows($1::regclass)', [side]);
  }
}

/**
 * Builds the secondary indexes, once the rows are in. Vacuums first: the planner then has its statistics, and pages
 * can be counted off over an index alone.
 */
export async function indexSideTables(
  pool: Pool,
  projection: Projection,
  build: Build,
  options: MaintenanceOptions,
): Promise<void> {
  const live = liveBuild(projection);
  const statements: string[] = [];
  await maintain(pool, options, async (db) => {
    for (const table of projection.tables) {
      const side = build.table(table);
      await db.query(`vacuum (analyze) ${side}`);
      for (const { name, definition } of await indexesOf(db, live.table(table))) {
        const how = definition.slice(definition.indexOf(' USING '));
        const unique = definition.startsWith('CREATE UNIQUE') ? 'unique' : '';
        statements.push(`create ${unique} index ${sideName(name, build)} on ${side} ${how}`);
      }
    }
  });
  // The longest first, so that the lanes end together.
  statements.sort((a, b) => Number(b.includes(' USING gin ')) - Number(a.includes(' USING gin ')));
  const lanes = Array.from({ length: options.pace?.kind === 'gentle' ? 1 : 2 }, () =>
    maintain(pool, options, async (db) => {
      for (let next = statements.shift(); next !== undefined; next = statements.shift()) {
        await db.query(next);
      }
    }),
  );
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
}

/** Puts the side tables in the place of the live ones, under their names and the names of their indexes. */
export async function replaceLiveTables(db: PoolClient, projection: Projection, build: Build): Promise<void> {
  const live = liveBuild(projection);
  for (const table of projection.tables) {
    const [keys, indexes] = [await keysOf(db, live.table(table)), await indexesOf(db, live.table(table))];
    await db.query(`drop table ${live.table(table)}`);
    await db.query(`alter table ${build.table(table)} rename to "${tableOf(projection, table)}"`);
    for (const { name } of [...keys, ...indexes]) {
      await db.query(`alter index "read".${sideName(name, build)} rename to "${name}"`);
    }
  }
}

/** Removes everything of a build: tables, checkpoint, what it parked. */
export async function dropBuild(db: PoolClient, projection: Projection, build: Build): Promise<void> {
  for (const table of projection.tables) await db.query(`drop table if exists ${build.table(table)}`);
  await db.query('delete from read.checkpoints where projection = $1', [build.key]);
  await db.query('delete from read.projection_parked where projection = $1', [build.key]);
}

function sideName(name: string, build: Build): string {
  return `"${name}__${build.kind}"`;
}

/** Primary keys and unique constraints, which an upsert needs from the first row on. */
async function keysOf(db: PoolClient, table: string): Promise<Definition[]> {
  const { rows } = await db.query<Definition>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = $1::regclass and contype in ('p', 'u') order by conname`,
    [table],
  );
  return rows;
}

async function indexesOf(db: PoolClient, table: string): Promise<Definition[]> {
  const { rows } = await db.query<Definition>(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = $1::regclass
       and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u'))
     order by c.relname`,
    [table],
  );
  return rows;
}
