import { reservationKey } from '#api/accounts/reservations.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { addressKey } from '#api/http/client-address.ts';
import { HttpError, invalid } from '#api/http/http-errors.ts';
import { type Limiter, sharedLimiter } from '#api/http/limits.ts';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/contact.ts';
import { RESET_TIMEOUT } from './reset-tokens.ts';

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
