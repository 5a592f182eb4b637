import type { Pool } from 'pg';
import { forgetting } from '#api/http/forget-expired.ts';
import { plannedOnce } from '#core/postgres/statement.ts';

/** How many of the last minutes count. */
const SPAN = 10;
/** From how many requests of the last ten minutes the bot check of a form costs more: twice, three and four times. */
const STEPS = [30, 60, 120];

/** The parameters of a part of a statement, such as `$1`: a business's id and the present, a timestamptz. */
type Parameters = Readonly<{ business: string; now: string }>;

/**
 * Counts a request to the form of a business: one that passed a bot check or the limit of its source. One that is accepted
 * is counted with it (`intake-limits.ts`).
 */
export async function countFormRequest(db: Pool, businessId: string, now: Date): Promise<void> {
  const [forgotten, counted] = requestCounted({ business: '$1', now: '$2' });
  await db.query(plannedOnce(`with ${forgotten} ${counted}`, [businessId, now]));
}

/** The parts of a statement that counts a request: one for its `with`, and one that counts. */
export function requestCounted({ business, now }: Parameters): [forgotten: string, counted: string] {
  const minute = `date_trunc('minute', ${now}::timestamptz)`;
  return [
    forgetting('state.form_requests', now),
    `insert into state.form_requests as counted (business_id, minute, requests, expires_at)
     values (${business}, ${minute}, 1, ${minute} + interval '${SPAN + 1} minutes')
     on conflict (business_id, minute) do update set requests = counted.requests + 1`,
  ];
}

/** How many times the plain work the bot check of a business's form costs now: 1, and up to 4 in a rush. */
export async function formPrice(db: Pool, businessId: string, now: Date): Promise<number> {
  const statement = `select ${recentRequests({ business: '$1', now: '$2' })} as requests`;
  const { rows } = await db.query<{ requests: number }>(plannedOnce(statement, [businessId, now]));
  return priceAfter(rows[0]?.requests ?? 0);
}

/** An expression: how many requests to a business's form count for its price. */
export function recentRequests({ business, now }: Parameters): string {
  return `(select coalesce(sum(requests), 0)::integer from state.form_requests
    where business_id = ${business} and minute > ${now}::timestamptz - interval '${SPAN} minutes')`;
}

/** What the bot check costs after so many requests. */
export function priceAfter(requests: number): number {
  return 1 + STEPS.filter((step) => requests >= step).length;
}
