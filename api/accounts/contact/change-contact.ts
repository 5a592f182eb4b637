import type { PoolClient } from 'pg';
import { acceptCode, hashOf } from '#api/accounts/contact/code-budget.ts';
import { sourceOfQuestions } from '#api/accounts/contact/identity-questions.ts';
import { loadAccount } from '#api/accounts/load-account.ts';
import { isReserved, reservationKey, takenMessages } from '#api/accounts/reservations.ts';
import { createOwnerCheck } from '#api/accounts/sign-in/owner-check.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { invalid, tooManyRequests } from '#api/http/errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { emailMessage, isEmail, normaliseEmail, parsePhone, phoneMessage } from '#core/values/contact.ts';
import { beginContactChange, type ContactKind, voidContactChanges } from './contact-changes.ts';

const MINUTE = 60_000;
/** How long the new address may take to confirm itself, in milliseconds. */
const LIFE: Record<ContactKind, number> = { email: 60 * MINUTE, mobile: 10 * MINUTE };
const KIND = { email: 'email-change-confirm', mobile: 'phone-change-code' } as const;

/** Changes asked for by one account. Five codes a day with five tries each: 25 guesses among a million. */
const PER_HOUR = { name: 'email-change', points: 5, seconds: 3_600 };
const PER_DAY = { name: 'phone-change', points: 5, seconds: 86_400 };

export type RequestedContact = Readonly<{
  kind: ContactKind;
  typed: string;
  currentPassword: string | undefined;
  request: Request;
}>;

/**
 * Begins a change of email or mobile: the owner's password first, then a link or code to the new one. Nothing changes
 * before that comes back. The present one given again drops what was waiting. Throws 422 with fields, ConflictError when
 * it belongs to another account, 429.
 */
export function createContactChange(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'store' | 'logger' | 'messages'>,
) {
  const checkOwner = createOwnerCheck(deps);
  const countQuestion = sourceOfQuestions(deps);
  const limits = { email: sharedLimiter(deps, PER_HOUR), mobile: sharedLimiter(deps, PER_DAY) };

  return async (
    session: Session,
    { kind, typed, currentPassword, request }: RequestedContact,
  ): Promise<void> => {
    const value = normalise(kind, typed);
    const { accountId } = session;
    const { account } = await loadAccount(deps, accountId);
    if (value === (kind === 'email' ? account.email : account.phone)) {
      return voidContactChanges(deps.db, accountId, kind);
    }
    if (!currentPassword) throw invalid({ currentPassword: 'Enter your current password' });
    await checkOwner(session, currentPassword, request);
    await limits[kind].consume(accountId);
    const { ip: address } = contextOf(request);
    await countQuestion(kind, address);
    // Read alone: it is reserved when it is confirmed, so that no account can hold an address that is not its own.
    const reservation = { kind, key: reservationKey(deps.config, kind, value) };
    if (await isReserved(deps.db, reservation, accountId, deps.now()))
      throw new ConflictError(takenMessages[kind]);
    const now = deps.now();
    const expiresAt = new Date(now.getTime() + LIFE[kind]);
    const changeId = deps.newId();
    await inTransaction(deps.db, async (db) => {
      if (kind === 'mobile') await spendCodeMessage(deps, db, { changeId, value, address });
      await beginContactChange(db, deps.config.keys, { changeId, accountId, kind, value, expiresAt }, now);
      const message = { id: changeId, kind: KIND[kind], data: { changeId }, expiresAt };
      await queueMessage(db, message, now);
    });
    deps.messages?.notify();
  };
}

function normalise(kind: ContactKind, typed: string): string {
  if (kind === 'mobile') {
    const phone = parsePhone(typed);
    if (phone === null) throw invalid({ phone: phoneMessage });
    return phone;
  }
  const email = normaliseEmail(typed);
  if (!isEmail(email)) throw invalid({ email: emailMessage });
  return email;
}

/**
 * Counts an SMS with a code against the product's one budget of them: it costs money, and disturbs the owner of the number.
 * Runs in the caller's transaction.
 */
async function spendCodeMessage(
  deps: Pick<Deps, 'config' | 'logger' | 'now'>,
  db: PoolClient,
  { changeId, value, address }: Texting,
): Promise<void> {
  const { keys, codesPerHour, rateLimits } = deps.config;
  if (rateLimits === 'off') return;
  const numberHash = hashOf('number', value, keys.claim);
  const sourceHash = hashOf('source', address, keys.claim);
  const message = { messageId: changeId, numberHash, sourceHash };
  const rate = { perHour: codesPerHour, paid: 0, isSignedIn: true };
  const acceptance = await acceptCode(db, message, rate, deps.now());
  if (acceptance.accepted || acceptance.spent === null) return;
  const { spent, retryAfterSeconds } = acceptance;
  if (spent === 'all') deps.logger.error({ event: 'code-budget-spent', retryAfterSeconds });
  throw tooManyRequests(retryAfterSeconds);
}
type Texting = Readonly<{ changeId: string; value: string; address: string }>;
