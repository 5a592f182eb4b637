import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/http-errors.ts';
import { type Limiter, type LimitRule, sharedLimiter } from '#api/http/limits.ts';
import type { OutboxMessage } from './message-kind.ts';

/** So many receipts a day to one address: anybody can type anybody's address into a form. */
const LIMIT = { name: 'receipt', points: 6, seconds: 86_400 };

/** So many mails a day to customers in the name of a business whose own address was never confirmed. */
export const mailsADay = 10;
const UNCONFIRMED = { name: 'unconfirmed-mail', points: mailsADay, seconds: 86_400 };

const limiters = new Map([LIMIT, UNCONFIRMED].map((rule) => [rule, new WeakMap<Pool, Limiter>()]));

/** Whether a business whose address awaits its confirmation may mail one more customer today. */
export function mayMailAsUnconfirmed(
  deps: Pick<Deps, 'config' | 'db'>,
  message: Pick<OutboxMessage, 'attempts'>,
  businessId: string,
): Promise<boolean> {
  return consumeOnce(deps, message, UNCONFIRMED, businessId);
}

/** Whether a stranger's address may get one more mail today. A message that is tried again is not counted again. */
export function mayMail(
  deps: Pick<Deps, 'config' | 'db'>,
  message: Pick<OutboxMessage, 'attempts'>,
  email: string,
): Promise<boolean> {
  const key = createHmac('sha256', deps.config.keys.claim).update(`receipt:${email}`).digest('base64url');
  return consumeOnce(deps, message, LIMIT, key);
}

async function consumeOnce(
  deps: Pick<Deps, 'config' | 'db'>,
  { attempts }: Pick<OutboxMessage, 'attempts'>,
  rule: LimitRule,
  key: string,
): Promise<boolean> {
  if (attempts > 1) return true;
  const limiter = limiters.get(rule)?.get(deps.db) ?? sharedLimiter(deps, rule);
  limiters.get(rule)?.set(deps.db, limiter);
  try {
    await limiter.consume(key);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}
