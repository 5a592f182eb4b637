import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/http-errors.ts';
import { type Limiter, sharedLimiter } from '#api/http/limits.ts';
import type { OutboxMessage } from './message-kind.ts';

/** So many receipts a day to one address: anybody can type anybody's address into a form. */
const LIMIT = { name: 'receipt', points: 6, seconds: 86_400 };

const limiters = new WeakMap<Pool, Limiter>();

/** Whether a stranger's address may get one more mail today. A message that is tried again is not counted again. */
export async function mayMail(
  deps: Pick<Deps, 'config' | 'db'>,
  { attempts }: Pick<OutboxMessage, 'attempts'>,
  email: string,
): Promise<boolean> {
  if (attempts > 1) return true;
  const limiter = limiters.get(deps.db) ?? sharedLimiter(deps, LIMIT);
  limiters.set(deps.db, limiter);
  const key = createHmac('sha256', deps.config.keys.claim).update(`receipt:${email}`).digest('base64url');
  try {
    await limiter.consume(key);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}
