import type { Pool } from 'pg';

/** What stands in the outbox for a mail beyond what an unconfirmed address may cause. */
export const heldBackReason = 'held back until the business confirms its email';

/** How many mails to customers of a business were held back since an instant. */
export async function countHeldBack(db: Pool, businessId: string, since: Date): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from state.outbox
     where business_id = $1 and standing = 'dead' and failure like $2 and settled_at > $3`,
    [businessId, `%${heldBackReason}`, since],
  );
  return rows[0]?.n ?? 0;
}

/** Sends what was held back since an instant, now that the address is confirmed; answers how many. */
export async function releaseHeldBack(
  db: Pool,
  businessId: string,
  { since, now }: Readonly<{ since: Date; now: Date }>,
): Promise<number> {
  const { rowCount } = await db.query(
    `update state.outbox
     set standing = 'waiting', wanted_at = $4, due_at = $4, attempts = 0, settled_at = null, failure = null
     where business_id = $1 and standing = 'dead' and failure like $2 and settled_at > $3`,
    [businessId, `%${heldBackReason}`, since, now],
  );
  return rowCount ?? 0;
}
