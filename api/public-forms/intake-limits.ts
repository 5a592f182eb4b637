import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { PoolClient } from 'pg';
import { addressPrefix } from '#api/http/client-address.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How many requests the doors of the public forms let in. */
export type IntakeLimits = Readonly<{
  perSourceIn10Minutes: number;
  perBusinessInHour: number;
  perBusinessInDay: number;
}>;

export const apiLimits: IntakeLimits = {
  perSourceIn10Minutes: 5,
  perBusinessInHour: 30,
  perBusinessInDay: 300,
};

/** Tighter per source: this door takes no proof of work. */
export const pageLimits: IntakeLimits = { ...apiLimits, perSourceIn10Minutes: 3 };

export type Admission = Readonly<{ admitted: true } | { admitted: false; retryAfterSeconds: number }>;

type Request = Readonly<{ jobId: string; businessId: string; sourceHash: string }>;

/**
 * Lets a request in and counts it, unless its source or its business has had enough. Exact for requests at once:
 * those of one source or one business wait for each other. Runs in the caller's transaction.
 */
export async function admit(
  db: PoolClient,
  { jobId, businessId, sourceHash }: Request,
  limits: IntakeLimits,
  now: Date,
): Promise<Admission> {
  const windows = [
    { column: 'source_hash', value: sourceHash, span: 10 * MINUTE, limit: limits.perSourceIn10Minutes },
    { column: 'business_id', value: businessId, span: HOUR, limit: limits.perBusinessInHour },
    { column: 'business_id', value: businessId, span: DAY, limit: limits.perBusinessInDay },
  ];
  for (const { column, value, span, limit } of windows) {
    await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`intake ${column} ${value}`]);
    // The limit-th newest request is the one that has to leave the window before another may come in.
    const { rows } = await db.query<{ accepted_at: Date }>(
      `select accepted_at from state.intake where ${column} = $1 and accepted_at > $2
       order by accepted_at desc offset $3 limit 1`,
      [value, new Date(now.getTime() - span), limit - 1],
    );
    const blocking = rows[0];
    if (blocking) {
      const wait = blocking.accepted_at.getTime() + span - now.getTime();
      return { admitted: false, retryAfterSeconds: Math.max(1, Math.ceil(wait / 1_000)) };
    }
  }
  await db.query(
    `insert into state.intake (job_id, business_id, source_hash, accepted_at, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [jobId, businessId, sourceHash, now, new Date(now.getTime() + DAY)],
  );
  await forgetExpired(db, 'state.intake', now);
  return { admitted: true };
}

/** A source as the limits know it: an address (an IPv6 one by its network), not to be read back. */
export function hashSource(address: string, secret: Buffer): string {
  const source = isIPv6(address) ? addressPrefix(address) : address;
  return createHmac('sha256', secret).update(`intake source ${source}`).digest('hex');
}
