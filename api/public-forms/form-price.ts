import type { Pool, PoolClient } from 'pg';
import { forgetExpired } from '#api/http/forget-expired.ts';

const MINUTE = 60_000;
/** The last minutes that count. */
const SPAN = 10 * MINUTE;
/** From how many requests of the last ten minutes the bot check of a form costs more: twice, three and four times. */
const STEPS = [30, 60, 120];

/** Counts a request to the form of a business: one that passed a bot check or the limit of its source. */
export async function countFormRequest(db: Pool, businessId: string, now: Date): Promise<void> {
  const minute = new Date(Math.floor(now.getTime() / MINUTE) * MINUTE);
  const { rows } = await db.query<{ requests: number }>(
    `insert into state.form_requests as counted (business_id, minute, requests, expires_at) values ($1, $2, 1, $3)
     on conflict (business_id, minute) do update set requests = counted.requests + 1 returning requests`,
    [businessId, minute, new Date(minute.getTime() + SPAN + MINUTE)],
  );
  if (rows[0]?.requests === 1) await forgetExpired(db, 'state.form_requests', now);
}

/** How many times the plain work the bot check of a business's form costs now: 1, and up to 4 in a rush. */
export async function formPrice(db: Pool | PoolClient, businessId: string, now: Date): Promise<number> {
  const { rows } = await db.query<{ requests: number }>(
    `select coalesce(sum(requests), 0)::integer as requests from state.form_requests
     where business_id = $1 and minute > $2`,
    [businessId, new Date(now.getTime() - SPAN)],
  );
  const requests = rows[0]?.requests ?? 0;
  return 1 + STEPS.filter((step) => requests >= step).length;
}
