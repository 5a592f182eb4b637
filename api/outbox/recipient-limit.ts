import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/answers.ts';
import { type Limiter, type LimitRule, sharedLimiter } from '#api/http/limits.ts';
import type { OutboxMessage } from './queue.ts';

/** So many receipts a day to one address: any visitor can type any person's address into a form. */
const LIMIT = { name: 'receipt', points: 6, seconds: 86_400 };

/** So many links to confirm it a day to one address. What a public form sends there has a budget of its own. */
const WELCOME = { name: 'welcome', points: 6, seconds: 86_400 };
const tooManyWelcomes =
  'We have sent six links to this address today. Look for them in your spam folder, or try again tomorrow.';

/** So many mails a day to customers in the name of a business whose own address was never confirmed. */
export const mailsADay = 10;
const UNCONFIRMED = { name: 'unconfirmed-mail', points: mailsADay, seconds: 86_400 };

const limiters = new Map([LIMIT, WELCOME, UNCONFIRMED].map((rule) => [rule, new WeakMap<Pool, Limiter>()]));

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
  return consumeOnce(deps, message, LIMIT, keyOf(deps, LIMIT, email));
}

/** Whether an address may get one more link to confirm it today, for a message that `countWelcome` has not counted. */
export function mayWelcome(
  deps: Pick<Deps, 'config' | 'db'>,
  message: Pick<OutboxMessage, 'attempts'>,
  email: string,
): Promise<boolean> {
  return consumeOnce(deps, message, WELCOME, keyOf(deps, WELCOME, email));
}

/** Counts a link to an address before it is queued. Throws 429 once it has had as many as it gets in a day. */
export function countWelcome(deps: Pick<Deps, 'config' | 'db'>, email: string): Promise<void> {
  return limiterOf(deps, WELCOME).consume(keyOf(deps, WELCOME, email));
}

function keyOf({ config }: Pick<Deps, 'config'>, { name }: LimitRule, email: string): string {
  return createHmac('sha256', config.keys.claim).update(`${name}:${email}`).digest('base64url');
}

function limiterOf(deps: Pick<Deps, 'config' | 'db'>, rule: LimitRule): Limiter {
  const made = limiters.get(rule)?.get(deps.db);
  if (made) return made;
  const limiter = sharedLimiter(deps, rule, rule === WELCOME ? tooManyWelcomes : undefined);
  limiters.get(rule)?.set(deps.db, limiter);
  return limiter;
}

async function consumeOnce(
  deps: Pick<Deps, 'config' | 'db'>,
  { attempts }: Pick<OutboxMessage, 'attempts'>,
  rule: LimitRule,
  key: string,
): Promise<boolean> {
  if (attempts > 1) return true;
  try {
    await limiterOf(deps, rule).consume(key);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}
