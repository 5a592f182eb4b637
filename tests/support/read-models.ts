import type { Pool } from 'pg';
import { projections } from '#projections/runtime/registry.ts';

export const readModelTables = projections.flatMap(({ tables }) => tables);

/** Every row of every read model, generated columns included, in a fixed order. */
export async function dumpReadModels(pool: Pool): Promise<Record<string, unknown[]>> {
  const dump: Record<string, unknown[]> = {};
  for (const table of readModelTables) {
    const { rows } = await pool.query(
      `select to_jsonb(t) as row from read.${table} as t order by to_jsonb(t)::text collate "C"`,
    );
    dump[table] = rows.map(({ row }) => row);
  }
  return dump;
}

/** Empties the read models, checkpoints and all. */
export async function clearReadModels(pool: Pool): Promise<void> {
  const tables = [...readModelTables, 'checkpoints', 'projection_parked'];
  await pool.query(tables.map((table) => `delete from read.${table}`).join('; '));
}
