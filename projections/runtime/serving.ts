import type { Pool } from 'pg';
import { readModelListener } from './notify.ts';

/** How many processes read the read models of this database just now. */
export async function countReaders(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and application_name = $1`,
    [readModelListener],
  );
  return rows[0]?.n ?? 0;
}
