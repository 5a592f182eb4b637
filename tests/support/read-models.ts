import type { Pool } from 'pg';
import { liveBuild } from '#projections/runtime/build.ts';
import { projections } from '#projections/runtime/registry.ts';

/** Each table of each read model with the name that its present version goes by, quoted, with schema. */
const readModelTables = projections.flatMap((projection) =>
  projection.tables.map(({ name }) => ({ table: name, live: liveBuild(projection).table(name) })),
);

/** Every row of every read model, generated columns included, in a fixed order. */
export async function dumpReadModels(pool: Pool): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {};
  for (const { table, live } of readModelTables) {
    const { rows } = await pool.query(
      `select to_jsonb(t) as row from ${live} as t order by to_jsonb(t)::text collate "C"`,
    );
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

/** Empties the read models, checkpoints and all. */
export async function clearReadModels(pool: Pool): Promise<void> {
  const tables = [...readModelTables.map(({ live }) => live), 'read.checkpoints', 'read.projection_parked'];
  await pool.query(tables.map((table) => `delete from ${table}`).join('; '));
}
