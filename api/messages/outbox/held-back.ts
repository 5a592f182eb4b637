import type { Pool } from 'pg';

/** How long a mail that is held back is still of use to its customer, in milliseconds. */
export const heldBackFor = 24 * 60 * 60_000;

/** A mail beyond what an unconfirmed address may cause: it waits for the confirmation. */
export class HeldBackError extends Error {
  override name = 'HeldBackError';
}

/** Sets a message aside that was just tried, until `releaseHeldBack` or `lapseHeldBack`. */
export async function holdBack(
  db: Pool,
  { id, attempts }: Readonly<{ id: string; attempts: number }>,
  now: Date,
): Promise<void> {
  await db.query(
    `update state.outbox set delivery_status = 'held', settled_at = $3, leased_until = null, failure = null
     where id = $1 and attempts = $2 and delivery_status = 'waiting'`,
    [id, attempts, now],
  );
}

/** How many mails to customers of a business wait for its confirmation. */
export async function countHeldBack(db: Pool, businessId: string, now: Date): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from state.outbox where business_id = $1 and delivery_status = 'held' and settled_at > $2`,
    [businessId, oldest(now)],
  );
  return rows[0]?.n ?? 0;
}

/** The businesses with mail that waits for their confirmation. */
export async function businessesHeldBack(db: Pool, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ businessId: string }>(
    `select distinct business_id as "businessId" from state.outbox where delivery_status = 'held' and settled_at > $1`,
    [oldest(now)],
  );
  return rows.map(({ businessId }) => businessId);
}

/** Lets what was held back in the last day be sent, because the address is confirmed; answers how many. A repeat does nothing. */
export async function releaseHeldBack(db: Pool, businessId: string, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `update state.outbox
     set delivery_status = 'waiting', wanted_at = $3, due_at = $3, attempts = 0, settled_at = null, failure = null
     where business_id = $1 and delivery_status = 'held' and settled_at > $2`,
    [businessId, oldest(now), now],
  );
  return rowCount ?? 0;
}

/** Gives up what has been held back for a day; answers how many. The ids go with it, as they do from what was sent. */
export async function lapseHeldBack(db: Pool, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `update state.outbox set delivery_status = 'lapsed', settled_at = $2, data = '{}' where delivery_status = 'held' and settled_at <= $1`,
    [oldest(now), now],
  );
  return rowCount ?? 0;
}

function oldest(now: Date): Date {
  return new Date(now.getTime() - heldBackFor);
}
