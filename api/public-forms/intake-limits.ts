import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { PoolClient } from 'pg';
import { addressPrefix } from '#api/http/client-address.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { HeldFor } from '#core/values/held-job.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** As long as a customer can send word of a job by its link, which is mailed within a day. */
const UNCHECKED_KNOWN = 31 * DAY;

/** How a request comes in: with a bot check, as a page without JavaScript, or while the bot check's provider is unavailable. */
type Door = 'checked' | 'page' | 'away';

/**
 * How many requests a door of the public forms accepts. Each door counts its own: what came without a check never takes the
 * place of what came with one. What a business gets beyond the first two is held for review; what is more is refused.
 */
export type IntakeLimits = Readonly<{
  door: Door;
  perSourceIn10Minutes: number;
  perBusinessInHour: number;
  perBusinessInDay: number;
  heldInHour: number;
  heldInDay: number;
}>;

export const apiLimits: IntakeLimits = {
  ...{ door: 'checked', perSourceIn10Minutes: 5, perBusinessInHour: 30, perBusinessInDay: 300 },
  ...{ heldInHour: 300, heldInDay: 1_000 },
};

/** Smaller, and held earlier: this door takes no proof of work. */
export const pageLimits: IntakeLimits = {
  ...{ door: 'page', perSourceIn10Minutes: 3, perBusinessInHour: 6, perBusinessInDay: 30 },
  ...{ heldInHour: 9, heldInDay: 30 },
};

/** All are held: there was no way to check that a person sends them. */
export const awayLimits: IntakeLimits = {
  ...{ door: 'away', perSourceIn10Minutes: 2, perBusinessInHour: 0, perBusinessInDay: 0 },
  ...{ heldInHour: 30, heldInDay: 100 },
};

/** `full` says whose budget had no place. */
export type Admission = Readonly<
  | { admitted: true; heldFor: HeldFor | null }
  | { admitted: false; full: 'source' | 'business'; retryAfterSeconds: number }
>;

type Request = Readonly<{ jobId: string; businessId: string; sourceHash: string }>;

type Window = Readonly<{ of: 'source' | 'business'; held: boolean | null; span: number; limit: number }>;

/**
 * Accepts a request by its door and counts it, unless its source has sent too many. What is more than the door's budget
 * of the business is accepted too, and held for review; of those there are only so many. Exact for requests at once: those of
 * one source or one business wait for each other. Runs in the caller's transaction.
 */
export async function admit(
  db: PoolClient,
  request: Request,
  limits: IntakeLimits,
  now: Date,
): Promise<Admission> {
  const { businessId, sourceHash } = request;
  const { door } = limits;
  await lock(db, `source_hash ${sourceHash}`);
  await lock(db, `business_id ${businessId}`);
  const wait = (window: Window) => waitFor(db, window, { ...request, door }, now);
  const ofSource = await wait({
    ...{ of: 'source', held: null, span: 10 * MINUTE, limit: limits.perSourceIn10Minutes },
  });
  if (ofSource !== null) return { admitted: false, full: 'source', retryAfterSeconds: ofSource };
  const ofBusiness = { of: 'business', held: false } as const;
  const isBeyond =
    (await wait({ ...ofBusiness, span: HOUR, limit: limits.perBusinessInHour })) !== null ||
    (await wait({ ...ofBusiness, span: DAY, limit: limits.perBusinessInDay })) !== null;
  const heldFor = isBeyond ? (door === 'checked' ? 'rush' : 'unchecked') : null;
  if (heldFor !== null) {
    const ofHeld = { of: 'business', held: true } as const;
    const full =
      (await wait({ ...ofHeld, span: HOUR, limit: limits.heldInHour })) ??
      (await wait({ ...ofHeld, span: DAY, limit: limits.heldInDay }));
    if (full !== null) return { admitted: false, full: 'business', retryAfterSeconds: full };
  }
  await noteIntake(db, { ...request, door, heldFor }, now);
  return { admitted: true, heldFor };
}

type Noted = Request & Readonly<{ door: Door; heldFor: HeldFor | null }>;

/**
 * Notes for a day by which door a request was accepted, and whether it is held; the same job later once more. What came without a
 * bot check is known longer: no SMS tells of it.
 */
export async function noteIntake(
  db: PoolClient,
  { jobId, businessId, sourceHash, door, heldFor }: Noted,
  now: Date,
): Promise<void> {
  const life = door === 'checked' ? DAY : UNCHECKED_KNOWN;
  await db.query(
    `insert into state.intake (job_id, business_id, source_hash, accepted_at, expires_at, held_for, door)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (job_id) do update set source_hash = excluded.source_hash, accepted_at = excluded.accepted_at,
       expires_at = excluded.expires_at, held_for = excluded.held_for, door = excluded.door`,
    [jobId, businessId, sourceHash, now, new Date(now.getTime() + life), heldFor, door],
  );
  await forgetExpired(db, 'state.intake', now);
}

/** Why a request that was let in before is held; null for one that is not, or that nobody counted. */
export async function heldBefore(db: PoolClient, jobId: string): Promise<HeldFor | null> {
  const { rows } = await db.query<{ held_for: HeldFor | null }>(
    'select held_for from state.intake where job_id = $1',
    [jobId],
  );
  return rows[0]?.held_for ?? null;
}

function lock(db: PoolClient, key: string): Promise<unknown> {
  return db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`intake ${key}`]);
}

/** Seconds until a window has room for one more; null when it has. */
async function waitFor(
  db: PoolClient,
  { of, held, span, limit }: Window,
  { businessId, sourceHash, door }: Request & Readonly<{ door: Door }>,
  now: Date,
): Promise<number | null> {
  if (limit === 0) return Math.ceil(span / 1_000);
  const [column, value] = of === 'source' ? ['source_hash', sourceHash] : ['business_id', businessId];
  // The limit-th newest request is the one that has to leave the window before another may come in.
  const { rows } = await db.query<{ accepted_at: Date }>(
    `select accepted_at from state.intake
     where ${column} = $1 and door = $5 and accepted_at > $2
       and ($3::boolean is null or (held_for is not null) = $3)
     order by accepted_at desc offset $4 limit 1`,
    [value, new Date(now.getTime() - span), held, limit - 1, door],
  );
  const blocking = rows[0];
  if (!blocking) return null;
  return Math.max(1, Math.ceil((blocking.accepted_at.getTime() + span - now.getTime()) / 1_000));
}

/** A source as the limits know it: an address (an IPv6 one by its network), not to be read back. */
export function hashSource(address: string, secret: Buffer): string {
  const source = isIPv6(address) ? addressPrefix(address) : address;
  return createHmac('sha256', secret).update(`intake source ${source}`).digest('hex');
}
