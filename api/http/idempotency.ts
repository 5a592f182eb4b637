import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { canonicalJson, type Json } from '#core/kernel/canonical-json.ts';
import { InvalidInputError } from '#core/kernel/errors.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
import { forgetting } from './forget-expired.ts';

const LIFETIME_MS = 24 * 60 * 60_000;
/** What an Idempotency-Key looks like. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{8,200}$/;

/** The request's Idempotency-Key, null without one. Throws InvalidInputError unless it is 8 to 200 printable characters. */
export function idempotencyKey(headers: Headers): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (!idempotencyKeyPattern.test(key))
    throw new InvalidInputError('Idempotency-Key must be 8 to 200 printable characters');
  return key;
}

export type IdempotentUse = Readonly<{
  /** The operation and the business it is for, for example `public-form:<businessId>`: a key of one is nothing to another. */
  scope: string;
  key: string;
  body: Json;
  /** The id that the result gets, should this be the first time. */
  resultId: string;
}>;

export type RecordedUse = Readonly<{ repeat: boolean; resultId: string }>;

/**
 * Records a key for a body, for 24 hours. Of requests at once the first to commit is the first, the others wait for it
 * and are repeats, with its result id. Throws InvalidInputError when the key stands for another body.
 * Runs in the caller's transaction: rolled back, it never happened.
 */
export async function recordIdempotencyKey(
  db: PoolClient,
  use: IdempotentUse,
  now: Date,
): Promise<RecordedUse> {
  const keyHash = hashOf(use.key);
  const bodyHash = hashOf(canonicalJson(use.body));
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const values = [use.scope, keyHash, bodyHash, use.resultId, expiresAt, now];
  const { rows } = await db.query<Stored & { isFirst: boolean }>(plannedOnce(TAKE, values));
  if (rows[0]?.isFirst) return { repeat: false, resultId: use.resultId };
  // A request at the same moment was the first: the statement that waited for it does not see what it wrote.
  const stored = rows[0]?.resultId ? rows[0] : await findStored(db, use.scope, keyHash);
  if (stored?.bodyHash !== bodyHash) throw keyUsedBefore();
  return { repeat: true, resultId: stored.resultId };
}

type Stored = Readonly<{ bodyHash: string; resultId: string }>;

/** Takes the key where it is free or has expired, and answers for what it stands otherwise. */
const TAKE = `with ${forgetting('state.idempotency', '$6', 'scope = $1 and key_hash = $2')},
  taken as (
    insert into state.idempotency as stored (scope, key_hash, body_hash, result_id, expires_at)
    values ($1, $2, $3, $4, $5)
    on conflict (scope, key_hash) do update
      set body_hash = excluded.body_hash, result_id = excluded.result_id, expires_at = excluded.expires_at
      where stored.expires_at <= $6
    returning true)
  select exists (select from taken) as "isFirst", body_hash as "bodyHash", result_id as "resultId"
  from (select) as one left join state.idempotency on scope = $1 and key_hash = $2 and expires_at > $6`;

async function findStored(db: PoolClient, scope: string, keyHash: string): Promise<Stored | undefined> {
  const { rows } = await db.query<Stored>(
    plannedOnce(
      'select body_hash as "bodyHash", result_id as "resultId" from state.idempotency where scope = $1 and key_hash = $2',
      [scope, keyHash],
    ),
  );
  return rows[0];
}

/** The key stands for another body, or its result has another content. */
export function keyUsedBefore(): InvalidInputError {
  return new InvalidInputError('This Idempotency-Key was used before, for something else');
}

/** Whether a key was taken, for whatever body. */
export async function isKeyTaken(
  db: Pool,
  { scope, key }: Pick<IdempotentUse, 'scope' | 'key'>,
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
