import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { canonicalJson } from '#core/event-store/canonical-json.ts';
import type { Json } from '#core/event-store/raw-log.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { forgetExpired } from './forget-expired.ts';

const LIFETIME_MS = 24 * 60 * 60_000;
const KEY = /^[\x21-\x7e]{8,200}$/;

/** The request's Idempotency-Key, null without one. Throws InvalidInputError unless it is 8 to 200 printable characters. */
export function idempotencyKey(headers: Headers): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (!KEY.test(key)) throw new InvalidInputError('Idempotency-Key must be 8 to 200 printable characters');
  return key;
}

export type Claim = Readonly<{
  /** The door and whose it is, for example `public-form:<businessId>`: a key of one is nothing to another. */
  scope: string;
  key: string;
  body: Json;
  /** The id that the result gets, should this be the first time. */
  resultId: string;
}>;

export type Claimed = Readonly<{ repeat: boolean; resultId: string }>;

/**
 * Takes a key for a body, for 24 hours. Of requests at once the first to commit is the first, the others wait for it
 * and are repeats, with its result id. Throws InvalidInputError when the key stands for another body.
 * Runs in the caller's transaction: rolled back, it never happened.
 */
export async function claimIdempotencyKey(db: PoolClient, claim: Claim, now: Date): Promise<Claimed> {
  const keyHash = hashOf(claim.key);
  const bodyHash = hashOf(canonicalJson(claim.body));
  const taken = await db.query(
    `insert into state.idempotency as kept (scope, key_hash, body_hash, result_id, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (scope, key_hash) do update
       set body_hash = excluded.body_hash, result_id = excluded.result_id, expires_at = excluded.expires_at
       where kept.expires_at <= $6`,
    [claim.scope, keyHash, bodyHash, claim.resultId, new Date(now.getTime() + LIFETIME_MS), now],
  );
  await forgetExpired(db, 'state.idempotency', now);
  if (taken.rowCount === 1) return { repeat: false, resultId: claim.resultId };
  const { rows } = await db.query<{ body_hash: string; result_id: string }>(
    'select body_hash, result_id from state.idempotency where scope = $1 and key_hash = $2',
    [claim.scope, keyHash],
  );
  const kept = rows[0];
  if (kept?.body_hash !== bodyHash) throw keyUsedBefore();
  return { repeat: true, resultId: kept.result_id };
}

/** The key stands for another body, or its result has another content. */
export function keyUsedBefore(): InvalidInputError {
  return new InvalidInputError('This Idempotency-Key was used before, for something else');
}

/** Whether a key was taken, for whatever body. */
export async function isKeyTaken(
  db: Pool,
  { scope, key }: Pick<Claim, 'scope' | 'key'>,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from state.idempotency where scope = $1 and key_hash = $2 and expires_at > $3',
    [scope, hashOf(key), now],
  );
  return rowCount === 1;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
