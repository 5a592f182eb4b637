import type { Pool, PoolClient } from 'pg';
import type { Deps } from '#api/deps.ts';
import { tooManyRequests } from '#api/http/answers.ts';
import { forgetting } from '#api/http/forget-expired.ts';
import { type Limiter, sharedLimiter } from '#api/http/limits.ts';
import type { HeldFor } from '#core/job/status/statuses.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { plannedOnce } from '#core/postgres/statement.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** As long as a customer can send word of a job by its link, which is mailed within a day. */
const UNCHECKED_KNOWN = 31 * DAY;

/** How many of the last minutes count for the price of a bot check. */
const SPAN = 10;
/** From how many requests of the last ten minutes the bot check of a form costs more: twice, three and four times. */
const STEPS = [30, 60, 120];

/** How a request was sent: with a bot check, as a page without JavaScript, or while the bot check's provider is unavailable. */
type Channel = 'checked' | 'page' | 'unavailable';

/**
 * How many requests a channel of the public forms accepts. Each channel counts its own: what came without a check never takes the
 * place of what came with one. What a business gets beyond the first two is held for review; what is more is refused.
 */
export type IntakeLimits = Readonly<{
  channel: Channel;
  perSourceIn10Minutes: number;
  perBusinessInHour: number;
  perBusinessInDay: number;
  heldInHour: number;
  heldInDay: number;
}>;

export const apiLimits: IntakeLimits = {
  ...{ channel: 'checked', perSourceIn10Minutes: 5, perBusinessInHour: 30, perBusinessInDay: 300 },
  ...{ heldInHour: 300, heldInDay: 1_000 },
};

/** Smaller, and held earlier: this channel takes no proof of work. */
export const pageLimits: IntakeLimits = {
  ...{ channel: 'page', perSourceIn10Minutes: 3, perBusinessInHour: 6, perBusinessInDay: 30 },
  ...{ heldInHour: 9, heldInDay: 30 },
};

/** All are held: there was no way to check that a person sends them. */
export const unavailableLimits: IntakeLimits = {
  ...{ channel: 'unavailable', perSourceIn10Minutes: 2, perBusinessInHour: 0, perBusinessInDay: 0 },
  ...{ heldInHour: 30, heldInDay: 100 },
};

/** `full` says whose budget had no place; `price` what the bot check of the business's form costs at this moment. */
export type Acceptance = Readonly<
  | { accepted: true; heldFor: HeldFor | null; price: number }
  | { accepted: false; full: 'source' | 'business'; retryAfterSeconds: number }
>;

type Request = Readonly<{ jobId: string; businessId: string; sourceHash: string }>;

/**
 * Accepts a request by its channel and counts it, unless its source has sent too many. What is more than the channel's budget
 * of the business is accepted too, and held for review; of those there are only so many. Exact for requests at once: those of
 * one source or one business wait for each other. Runs in the caller's transaction.
 */
export async function accept(
  db: PoolClient,
  request: Request,
  limits: IntakeLimits,
  now: Date,
): Promise<Acceptance> {
  const { channel } = limits;
  await lock(db, request);
  const acceptance = judged(await budgetsOf(db, request, limits, now), channel);
  if (!acceptance.accepted) return acceptance;
  await noteIntake(db, { ...request, channel, heldFor: acceptance.heldFor, isCounted: true }, now);
  return acceptance;
}

/** Throws 429 where `accept` would refuse a request just now: before its pictures are drawn for nothing. Counts nothing. */
export async function assertPlace(
  db: Pool,
  source: Omit<Request, 'jobId'>,
  limits: IntakeLimits,
  now: Date,
): Promise<void> {
  const acceptance = judged(await budgetsOf(db, source, limits, now), limits.channel);
  if (!acceptance.accepted) throw tooManyRequests(acceptance.retryAfterSeconds);
}

function judged({ price, ...waits }: Budgets, channel: Channel): Acceptance {
  if (waits.source !== null) return { accepted: false, full: 'source', retryAfterSeconds: waits.source };
  const isBeyond = waits.hour !== null || waits.day !== null;
  const heldFor = isBeyond ? (channel === 'checked' ? 'rush' : 'unchecked') : null;
  const full = isBeyond ? (waits.heldHour ?? waits.heldDay) : null;
  if (full !== null) return { accepted: false, full: 'business', retryAfterSeconds: full };
  return { accepted: true, heldFor, price };
}

/** `isCounted`: for the price of the form, too. */
type Noted = Request & Readonly<{ channel: Channel; heldFor: HeldFor | null; isCounted: boolean }>;

/**
 * Notes for a day by which channel a request was accepted, and whether it is held; the same job later once more. What came without a
 * bot check is known longer: no SMS tells of it.
 */
export async function noteIntake(
  db: PoolClient,
  { jobId, businessId, sourceHash, channel, heldFor, isCounted }: Noted,
  now: Date,
): Promise<void> {
  const expiresAt = new Date(now.getTime() + (channel === 'checked' ? DAY : UNCHECKED_KNOWN));
  await db.query(
    plannedOnce(isCounted ? NOTE_AND_COUNT : NOTE, [
      ...[jobId, businessId, sourceHash, now, expiresAt, heldFor, channel],
    ]),
  );
}

const FORGOTTEN = forgetting('state.intake', '$4', 'job_id = $1');
const NOTED = `insert into state.intake (job_id, business_id, source_hash, accepted_at, expires_at, held_for, channel)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (job_id) do update set source_hash = excluded.source_hash, accepted_at = excluded.accepted_at,
    expires_at = excluded.expires_at, held_for = excluded.held_for, channel = excluded.channel`;
const [FORGOTTEN_REQUESTS, COUNTED] = requestCounted({ business: '$2', now: '$4' });
const NOTE = `with ${FORGOTTEN} ${NOTED}`;
const NOTE_AND_COUNT = `with ${FORGOTTEN}, ${FORGOTTEN_REQUESTS}, counted as (${COUNTED}) ${NOTED}`;

/** Why a request that was accepted before is held; null for one that is not, or that was not counted. */
export async function heldBefore(db: PoolClient, jobId: string): Promise<HeldFor | null> {
  const { rows } = await db.query<{ held_for: HeldFor | null }>(
    'select held_for from state.intake where job_id = $1',
    [jobId],
  );
  return rows[0]?.held_for ?? null;
}

/** To the end of the transaction: the source first, always, so that no two requests wait for each other. */
async function lock(db: PoolClient, { sourceHash, businessId }: Request): Promise<void> {
  const keys = [`intake source_hash ${sourceHash}`, `intake business_id ${businessId}`];
  await lockUntilCommit(db, ...keys);
}

/** Seconds until each window has room for one more, null where it has; of held ones, only where the others have none. */
type Budgets = Record<'source' | 'hour' | 'day' | 'heldHour' | 'heldDay', number | null> & { price: number };

/** One statement, after the one that locks: it has to see what was accepted while this request waited. */
async function budgetsOf(
  db: Pool | PoolClient,
  { sourceHash, businessId }: Omit<Request, 'jobId'>,
  limits: IntakeLimits,
  now: Date,
): Promise<Budgets> {
  const values: unknown[] = [businessId, sourceHash, limits.channel, now];
  const window = (of: string, span: number, limit: number) =>
    windowOf(of, span, limit, (n) => `$${values.push(n)}`);
  const ofBusiness = 'business_id = $1 and channel = $3';
  const free = `${ofBusiness} and held_for is null`;
  const held = `${ofBusiness} and held_for is not null`;
  const text = `with open as (
      select ${window('source_hash = $2 and channel = $3', 10 * MINUTE, limits.perSourceIn10Minutes)} as source,
        ${window(free, HOUR, limits.perBusinessInHour)} as hour, ${window(free, DAY, limits.perBusinessInDay)} as day)
    select source, hour, day, ${recentRequests({ business: '$1', now: '$4' })} as requests,
      case when coalesce(hour, day) is not null then ${window(held, HOUR, limits.heldInHour)} end as "heldHour",
      case when coalesce(hour, day) is not null then ${window(held, DAY, limits.heldInDay)} end as "heldDay"
    from open`;
  const { rows } = await db.query<Omit<Budgets, 'price'> & { requests: number }>(plannedOnce(text, values));
  const [found] = rows;
  if (!found) throw new TypeError('a select without from a table answers one row');
  const { requests, ...waits } = found;
  return { ...waits, price: priceAfter(requests) };
}

/**
 * An expression for the seconds until a window of so many milliseconds has room again: the limit-th newest request is the
 * one that has to leave it before another may come in.
 */
function windowOf(of: string, span: number, limit: number, parameter: (value: number) => string): string {
  const seconds = `${parameter(span / 1_000)}::double precision`;
  const begin = `$4::timestamptz - ${seconds} * interval '1 second'`;
  return `(select case when ${parameter(limit)}::integer = 0 then ceil(${seconds}) else (
    select greatest(1, ceil(extract(epoch from accepted_at - (${begin})))) from state.intake
    where ${of} and accepted_at > ${begin}
    order by accepted_at desc offset greatest(0, ${parameter(limit)}::integer - 1) limit 1) end)::integer`;
}

/** Files of one source in ten minutes, by form or by upload: what its five requests may hold. */
const UPLOADS = { name: 'upload-source', points: 25, seconds: 600 };

/** Counts files by their hashed source (`hashSource`). */
export function uploadLimiter(deps: Pick<Deps, 'config' | 'db'>): Limiter {
  return sharedLimiter(deps, UPLOADS);
}

/** The parameters of a part of a statement, such as `$1`: a business's id and the present, a timestamptz. */
type Parameters = Readonly<{ business: string; now: string }>;

/**
 * Counts a request to the form of a business: one that passed a bot check or the limit of its source. One that is accepted
 * is counted with it (`accept`).
 */
export async function countFormRequest(db: Pool, businessId: string, now: Date): Promise<void> {
  const [forgotten, counted] = requestCounted({ business: '$1', now: '$2' });
  await db.query(plannedOnce(`with ${forgotten} ${counted}`, [businessId, now]));
}

/** The parts of a statement that counts a request: one for its `with`, and one that counts. */
function requestCounted({ business, now }: Parameters): [forgotten: string, counted: string] {
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
function recentRequests({ business, now }: Parameters): string {
  return `(select coalesce(sum(requests), 0)::integer from state.form_requests
    where business_id = ${business} and minute > ${now}::timestamptz - interval '${SPAN} minutes')`;
}

/** What the bot check costs after so many requests. */
function priceAfter(requests: number): number {
  return 1 + STEPS.filter((step) => requests >= step).length;
}
