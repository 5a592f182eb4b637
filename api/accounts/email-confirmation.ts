import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { type Account, loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import { reservationKey } from '#api/accounts/reservations.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { forgetExpired } from '#api/http/forget-expired.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import type { Session } from '#api/http/request-context.ts';
import { businessesHeldBack, lapseHeldBack, queueMessage, releaseHeldBack } from '#api/outbox/queue.ts';
import { countWelcome } from '#api/outbox/recipient-limit.ts';
import { accountDecider } from '#core/account/decider.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';

const DAY = 24 * 60 * 60_000;
/** How long a link of a welcome mail works, in milliseconds. */
const LIFE = 7 * DAY;
/** How often an account may have the link sent again. */
const AGAIN = { name: 'welcome-again', points: 3, seconds: 3_600 };
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What the page of a welcome mail shows: nothing that the account holder typed. */
export type WelcomePage = Readonly<{ state: 'open' | 'confirmed' }>;

type Confirming = Pick<Deps, 'config' | 'db' | 'store' | 'now'>;

/** Lets a token (256 bits, base64url) confirm that address of the account for a week. The same token again changes nothing. */
export async function keepConfirmation(
  { config, db, now }: Pick<Deps, 'config' | 'db' | 'now'>,
  token: string,
  { accountId, email }: Pick<Account, 'accountId' | 'email'>,
): Promise<void> {
  const at = now();
  await db.query(
    `insert into state.email_confirmations (token_hash, account_id, email_key, expires_at)
     values ($1, $2, $3, $4) on conflict (token_hash) do nothing`,
    [hashOf(token), accountId, reservationKey(config, 'email', email), new Date(at.getTime() + LIFE)],
  );
  await forgetExpired(db, 'state.email_confirmations', at);
}

/** How things stand behind a link. Changes nothing. Throws NotFoundError for a link that is none, or of another address. */
export async function readWelcomePage(deps: Confirming, token: string): Promise<WelcomePage> {
  return { state: isEmailTrusted(await openLink(deps, token)) ? 'confirmed' : 'open' };
}

/**
 * Confirms the address that a link went to, and sends what was held back in the last day: once, however often it is
 * pressed. Throws NotFoundError as above.
 */
export async function confirmEmail(
  deps: Confirming & Pick<Deps, 'newId' | 'messages' | 'logger'>,
  token: string,
  correlation: string,
): Promise<void> {
  const { accountId, businessId, email } = await openLink(deps, token);
  const at = deps.now().toISOString();
  const command = { type: 'ConfirmAccountEmail', at, data: { accountId, email } } as const;
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  await handleCommand(deps.store, accountDecider, streamName('account', accountId), command, cause);
  const released = await sendHeldBack(deps, businessId);
  deps.logger.info({ event: 'email-confirmed', account: accountId, released });
}

/**
 * Sends the link once more; nothing where the address is confirmed. Throws 429 above three times an hour or, for
 * one address, six times a day, the mail of the registration included.
 */
export function createConfirmationSender(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'store' | 'messages'>,
): (session: Pick<Session, 'accountId'>) => Promise<void> {
  const limiter = sharedLimiter(deps, AGAIN);
  return async ({ accountId }) => {
    const { account } = await loadAccount(deps, accountId);
    if (isEmailTrusted(account)) return;
    await limiter.consume(accountId);
    await countWelcome(deps, account.email);
    const data = { accountId, isCounted: true };
    await queueMessage(deps.db, { id: deps.newId(), kind: 'welcome', data }, deps.now());
    deps.messages?.notify();
  };
}

async function openLink(deps: Confirming, token: string): Promise<Account> {
  const link = TOKEN.test(token) ? await findLink(deps.db, token, deps.now()) : null;
  if (link === null) throw new NotFoundError('Link not found');
  const { account } = await loadAccount(deps, link.accountId);
  if (!reservationKey(deps.config, 'email', account.email).equals(link.emailKey)) {
    throw new NotFoundError('Link not found');
  }
  return account;
}

async function findLink(db: Pool, token: string, now: Date) {
  const { rows } = await db.query<{ accountId: string; emailKey: Buffer }>(
    `select account_id as "accountId", email_key as "emailKey" from state.email_confirmations
     where token_hash = $1 and expires_at > $2`,
    [hashOf(token), now],
  );
  return rows[0] ?? null;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

type Settling = Pick<Deps, 'config' | 'db' | 'store' | 'now' | 'messages' | 'logger'>;

/**
 * Makes the mail that is held back follow what the accounts' events say: it goes out where the email is confirmed by now,
 * in whatever way, and lapses after a day. Finishes what a crash after the confirmation left, and what was composed before
 * it and set aside after it. May run at any time, twice or at once.
 */
export async function settleHeldBack(deps: Settling): Promise<void> {
  const now = deps.now();
  for (const businessId of await businessesHeldBack(deps.db, now)) {
    try {
      if (await isConfirmed(deps, businessId)) await sendHeldBack(deps, businessId);
    } catch (error) {
      // What is wrong with one business keeps no other from its mail.
      deps.logger.warn({
        event: 'held-back-not-settled',
        business: businessId,
        error: (error as Error).name,
      });
    }
  }
  const lapsed = await lapseHeldBack(deps.db, now);
  if (lapsed > 0) deps.logger.info({ event: 'held-back-lapsed', lapsed });
}

/** Sends what was held back of a business whose email is confirmed; answers how many. */
export async function sendHeldBack(
  { db, now, messages }: Pick<Deps, 'db' | 'now' | 'messages'>,
  businessId: string,
): Promise<number> {
  const released = await releaseHeldBack(db, businessId, now());
  if (released > 0) messages?.notify();
  return released;
}

/** Whether the account behind a business has shown that its email is its own; not where there is no such business. */
export async function isConfirmed(
  deps: Pick<Deps, 'config' | 'db' | 'store'>,
  businessId: string,
): Promise<boolean> {
  const business = await loadBusiness(deps, businessId);
  return business !== null && isEmailTrusted((await loadAccount(deps, business.accountId)).account);
}
