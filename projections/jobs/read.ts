import type { Pool } from 'pg';
import { jobTables } from './table.ts';

/** Whether a business had work at a time: a job that came, was changed or was planned, from `from` on and before `to`. */
export async function hadWork(
  db: Pool,
  businessId: string,
  { from, to }: Readonly<{ from: Date; to: Date }>,
): Promise<boolean> {
  const { rows } = await db.query<{ had: boolean }>(
    `select exists (select from ${jobTables.jobs} where business_id = $1 and created_at >= $2 and created_at < $3)
       or exists (select from ${jobTables.jobs} where business_id = $1 and scheduled_at >= $2 and scheduled_at < $3)
       or exists (select from ${jobTables.spans} where business_id = $1 and since >= $2 and since < $3) as had`,
    [businessId, from, to],
  );
  return rows[0]?.had ?? false;
}
