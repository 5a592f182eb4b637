import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { PoolClient } from 'pg';
import { addressPrefix } from '#api/http/client-address.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import type { HeldFor } from '#core/values/held-job.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How many requests the doors of the public forms let in; what a business gets beyond its own is held for review. */
export type IntakeLimits = Readonly<{
  perSourceIn10Minutes: number;
  perBusinessInHour: number;
  perBusinessInDay: number;
  heldInHour: number;
  heldInDay: number;
}>;

export const apiLimits: IntakeLimits = {
  perSourceIn10Minutes: 5,
  perBusinessInHour: 30,
  perBusinessInDay: 300,
  heldInHour: 30,
  heldInDay: 100,
};

/** Tighter per source: this door takes no proof of work. */
export const pageLimits: IntakeLimits = { ...apiLimits, perSourceIn10Minutes: 3 };

/** Tighter still: nobody could look whether a person is there. */
export const uncheckedLimits: IntakeLimits = { ...apiLimits, perSourceIn10Minutes: 2 };

export type Admission = Readonly<
  { admitted: true; heldFor: HeldFor | null } | { admitted: false; retryAfterSeconds: number }
>;

type Request = Readonly<{
  jobId: string;
  businessId: string;
  sourceHash: string;
  /** Whether the bot check was made; a request without it is held. */
  checked: boolean;
}>;

type Window = Readonly<{ of: 'source' | 'business'; held: boolean | null; span: number; limit: number }>;

/**
 * Lets a request in and counts it, unless its source has had enough. What is more than its business gets in an hour or a day
 * is let in too, and held for review; of those there are only so many. Exact for requests at once: those of one source or
 * one business wait for each other. Runs in the caller's transaction.
 */
export async function admit(
  db: PoolClient,
  request: Request,
  limits: IntakeLimits,
  now: Date,
): Promise<Admission> {
  const { jobId, businessId, sourceHash, checked } = request;
  await lock(db, `source_hash ${sourceHash}`);
  await lock(db, `business_id ${businessId}`);
  const wait = (window: Window) => waitFor(db, window, request, now);
  const ofSource = await wait({
    ...{ of: 'source', held: null, span: 10 * MINUTE, limit: limits.perSourceIn10Minutes },
  });
  if (ofSource !== null) return { admitted: false, retryAfterSeconds: ofSource };
  const ofBusiness = { of: 'business', held: false } as const;
  const isRush =
    (await wait({ ...ofBusiness, span: HOUR, limit: limits.perBusinessInHour })) !== null ||
    (await wait({ ...ofBusiness, span: DAY, limit: limits.perBusinessInDay })) !== null;
  const heldFor = checked ? (isRush ? 'rush' : null) : 'unchecked';
  if (heldFor !== null) {
    const ofHeld = { of: 'business', held: true } as const;
    const full =
      (await wait({ ...ofHeld, span: HOUR, limit: limits.heldInHour })) ??
      (await wait({ ...ofHeld, span: DAY, limit: limits.heldInDay }));
    if (full !== null) return { admitted: false, retryAfterSeconds: full };
  }
  await db.query(
    `insert into state.intake (job_id, business_id, source_hash, accepted_at, expires_at, held_for)
     values ($1, $2, $3, $4, $5, $6)`,
    [jobId, businessId, sourceHash, now, new Date(now.getTime() + DAY), heldFor],
  );
  await forgetExpired(db, 'state.intake', now);
  return { admitted: true, heldFor };
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
  { businessId, sourceHash }: Request,
  now: Date,
): Promise<number | null> {
  const [column, value] = of === 'source' ? ['source_hash', sourceHash] : ['business_id', businessId];
  // The limit-th newest request is the one that has to leave the window before another may come in.
  const { rows } = await db.query<{ accepted_at: Date }>(
    `select accepted_at from state.intake
     where ${column} = $1 and accepted_at > $2 and ($3::boolean is null or (held_for is not null) = $3)
     order by accepted_at desc offset $4 limit 1`,
    [value, new Date(now.getTime() - span), held, limit - 1],
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
