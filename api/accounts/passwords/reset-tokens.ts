import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { reservationKey } from '#api/accounts/reservations.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { HttpError, invalid } from '#api/http/answers.ts';
import { addressKey } from '#api/http/client-address.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import { type Limiter, sharedLimiter } from '#api/http/limits.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/contact.ts';

/** How long a link that sets a password anew is good for, in milliseconds. */
const RESET_LIFE = 30 * 60_000;
/** How long a link may be asked for before its mail is given up. */
const RESET_TIMEOUT = 60 * 60_000;

type ResetToken = Readonly<{ accountId: string; token: string; askedAt: Date }>;

/**
 * Makes a secret the one that may set an account's password, for 30 minutes; the one before is dead from now on. Only its
 * hash is stored. False when a newer one was asked for, or this very one was used: nothing is to be sent then.
 */
export async function makeResetToken(db: Pool, reset: ResetToken, now: Date): Promise<boolean> {
  const goodUntil = new Date(now.getTime() + RESET_LIFE);
  const expiresAt = new Date(reset.askedAt.getTime() + RESET_TIMEOUT + RESET_LIFE);
  const { rowCount } = await db.query(
    `insert into state.reset_tokens as old (account_id, token_hash, asked_at, good_until, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (account_id) do update set token_hash = excluded.token_hash, asked_at = excluded.asked_at,
       good_until = excluded.good_until, expires_at = excluded.expires_at, used_at = null
     where old.asked_at < excluded.asked_at`,
    [reset.accountId, hashOf(reset.token), reset.askedAt, goodUntil, expiresAt],
  );
  await forgetExpired(db, 'state.reset_tokens', now);
  return rowCount === 1 || (await accountOfResetToken(db, reset.token, now)) !== null;
}

/** Whose password a secret may set at `now`; null for one that is unknown, replaced, used or too old. */
export async function accountOfResetToken(db: Pool, token: string, now: Date): Promise<string | null> {
  const { rows } = await db.query<{ account_id: string }>(
    'select account_id from state.reset_tokens where token_hash = $1 and used_at is null and good_until > $2',
    [hashOf(token), now],
  );
  return rows[0]?.account_id ?? null;
}

/** Uses a secret up. Of many at once exactly one answers true; runs in the transaction of what it allows. */
export async function spendResetToken(db: PoolClient, token: string, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    'update state.reset_tokens set used_at = $2 where token_hash = $1 and used_at is null and good_until > $2',
    [hashOf(token), now],
  );
  return rowCount === 1;
}

/** Makes a link dead that was sent to an account's owner. */
export async function voidResetTokens(db: Pool | PoolClient, accountId: string, now: Date): Promise<void> {
  await db.query('update state.reset_tokens set used_at = $2 where account_id = $1 and used_at is null', [
    accountId,
    now,
  ]);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const HOUR = 3_600;
const PER_ACCOUNT = { name: 'forgot', points: 3, seconds: HOUR };
const PER_ADDRESS = { name: 'forgot-address', points: 10, seconds: HOUR };

/**
 * Asks for a link that sets a password anew. The answer and the work are the same for every address: whose it is, if
 * an account's, is found when the mail is composed. Of one address the fourth request within an hour sends nothing more.
 * Throws 422 for what is no address and 429 for a client that asks too often.
 */
export function createForgotPassword(deps: Clock & Pick<Deps, 'config' | 'db' | 'messages'>) {
  const perAccount = sharedLimiter(deps, PER_ACCOUNT);
  const perAddress = sharedLimiter(deps, PER_ADDRESS);

  return async (typed: string, address: string): Promise<void> => {
    const email = normaliseEmail(typed);
    if (!isEmail(email)) throw invalid({ email: emailMessage });
    await perAddress.consume(addressKey(address));
    const key = reservationKey(deps.config, 'email', email);
    if (!(await isWithin(perAccount, key.toString('base64url')))) return;
    const now = deps.now();
    const expiresAt = new Date(now.getTime() + RESET_TIMEOUT);
    const message = {
      id: deps.newId(),
      kind: 'password-reset',
      data: { claim: key.toString('hex') },
    } as const;
    await queueMessage(deps.db, { ...message, expiresAt }, now);
    deps.messages?.notify();
  };
}

async function isWithin(limiter: Limiter, key: string): Promise<boolean> {
  try {
    await limiter.consume(key);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}
