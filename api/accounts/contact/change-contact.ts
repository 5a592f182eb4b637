import { createHmac } from 'node:crypto';
import type { PoolClient } from 'pg';
import {
  acceptCode,
  codeRefusals,
  countVerified,
  hashOf,
  sourceOfQuestions,
} from '#api/accounts/contact-budgets.ts';
import { createOwnerCheck } from '#api/accounts/credentials.ts';
import { loadAccount, loadBusiness } from '#api/accounts/load-account.ts';
import { isReserved, reservationKey, reserve, takenMessages } from '#api/accounts/reservations.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { HttpError, invalid, tooManyRequests } from '#api/http/answers.ts';
import { addressKey } from '#api/http/client-address.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { contextOf, type Session } from '#api/http/request-context.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { accountDecider } from '#core/account/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { emailMessage, isEmail, normaliseEmail } from '#core/values/contact.ts';
import type { Region } from '#core/values/region.ts';
import { phoneMessage, readPhone } from '#core/values/typed-phone.ts';
import {
  beginContactChange,
  type ContactChange,
  type ContactKind,
  changeOfSecret,
  contactChangeLife,
  contactChangesOf,
  trySecret,
  voidContactChanges,
} from './contact-changes.ts';
import { type Changed, finishContactChange } from './finish-contact-change.ts';

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
 * `begin` begins a change of email or mobile: the owner's password first, then a link or code to the new one. Nothing
 * changes before that comes back. The present one given again drops what was waiting. Throws 422 with fields,
 * ConflictError when it belongs to another account, 429. `resendCode` sends another code to the mobile that waits for
 * one, and makes the one before dead. Throws 422 where none waits, ConflictError as above, 429 in the words of the
 * registration.
 */
export function createContactChange(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'store' | 'logger' | 'messages'>,
) {
  const checkOwner = createOwnerCheck(deps);
  const countQuestion = sourceOfQuestions(deps);
  const limits = { email: sharedLimiter(deps, PER_HOUR), mobile: sharedLimiter(deps, PER_DAY) };

  async function send({ accountId }: Session, { kind, value, request, isAgain }: Sending): Promise<void> {
    await limits[kind].consume(accountId);
    const { ip: address } = contextOf(request);
    await countQuestion(kind, address);
    // Read alone: it is reserved when it is confirmed, so that no account can hold an address that is not its own.
    const reservation = { kind, key: reservationKey(deps.config, kind, value) };
    if (await isReserved(deps.db, reservation, accountId, deps.now()))
      throw new ConflictError(takenMessages[kind], 'taken');
    const now = deps.now();
    const expiresAt = new Date(now.getTime() + contactChangeLife[kind]);
    const changeId = deps.newId();
    await inTransaction(deps.db, async (db) => {
      if (kind === 'mobile') await spendCodeMessage(deps, db, { changeId, value, address, isAgain });
      await beginContactChange(db, deps.config.keys, { changeId, accountId, kind, value, expiresAt }, now);
      const message = { id: changeId, kind: KIND[kind], data: { changeId }, expiresAt };
      await queueMessage(db, message, now);
    });
    deps.messages?.notify();
  }

  return {
    async begin(
      session: Session,
      { kind, typed, currentPassword, request }: RequestedContact,
    ): Promise<void> {
      const { accountId, businessId } = session;
      const [{ account }, business] = await Promise.all([
        loadAccount(deps, accountId),
        loadBusiness(deps, businessId),
      ]);
      const value = normalise(kind, typed, business?.region ?? null);
      if (value === (kind === 'email' ? account.email : account.phone)) {
        return voidContactChanges(deps.db, accountId, kind);
      }
      if (!currentPassword) throw invalid({ currentPassword: 'Enter your current password' });
      await checkOwner(session, currentPassword, request);
      await send(session, { kind, value, request, isAgain: false });
    },
    async resendCode(session: Session, request: Request): Promise<void> {
      const changes = await contactChangesOf(deps.db, deps.config.keys, session.accountId, deps.now());
      const waiting = changes.find(({ kind }) => kind === 'mobile');
      if (!waiting)
        throw new HttpError('invalid', 'No code is waited for any more. Please change the number again.');
      await send(session, { kind: 'mobile', value: waiting.value, request, isAgain: true });
    },
  };
}

type Sending = Readonly<{ kind: ContactKind; value: string; request: Request; isAgain: boolean }>;

function normalise(kind: ContactKind, typed: string, country: Region | null): string {
  if (kind === 'mobile') {
    const phone = readPhone(typed, country);
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
  { changeId, value, address, isAgain }: Texting,
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
  throw tooManyRequests(retryAfterSeconds, isAgain ? codeRefusals[spent] : undefined);
}
type Texting = Readonly<{ changeId: string; value: string; address: string; isAgain: boolean }>;

const PER_ADDRESS = { name: 'confirm-email', points: 20, seconds: 3_600 };
/** Wrong codes until every code is wrong. */
const MOST_TRIES = 5;
/** How long the old address waits to be notified, in milliseconds: by then the change has happened or never will. */
const NOTICE_DELAY = 15_000;
const NOTICE = { email: 'email-changed', mobile: 'phone-changed' } as const;
const READ_MODELS = ['accounts', 'public-form'];

const deadLink = () =>
  new HttpError('link-over', 'This link has expired or was already used. Please ask for a new one.');
const wrongCode = () => invalid({ code: 'Double-check and try again, or get a new one' }, 'Wrong code');

/** What a confirmation comes with; the request's id goes into the log as the correlation. */
type Coming = Readonly<{ address: string; correlation: string }>;

/**
 * Makes a change happen that its owner confirmed: by the link from the new mailbox, in whatever browser it opens, or by
 * the code from the new mobile. Throws 422 for a dead link or a wrong code, ConflictError when another account came first.
 */
export function createConfirmContact(
  deps: Pick<Deps, 'config' | 'db' | 'store' | 'readSide' | 'logger' | 'messages' | 'now'>,
) {
  const perAddress = sharedLimiter(deps, PER_ADDRESS);
  const { keys } = deps.config;

  async function happen(change: ContactChange, correlation: string): Promise<Changed | null> {
    const { accountId, changeId, kind, value } = change;
    const reservation = { kind, key: reservationKey(deps.config, kind, value) };
    const now = deps.now();
    const [taken] = await reserve(deps.db, accountId, [reservation], now);
    if (taken) throw new ConflictError(takenMessages[kind], 'taken');
    // Before the append: a crash after it leaves the notice in the outbox.
    const notBefore = new Date(now.getTime() + NOTICE_DELAY);
    const notice = { id: uuidV5(changeId, 'notice'), kind: NOTICE[kind], data: { accountId, changeId } };
    await queueMessage(deps.db, { ...notice, notBefore }, now);
    const cause = { commandId: changeId, actor: `account:${accountId}`, correlation };
    const at = now.toISOString();
    const command =
      kind === 'email'
        ? ({ type: 'ChangeAccountEmail', at, data: { accountId, email: value } } as const)
        : ({ type: 'ChangeAccountPhone', at, data: { accountId, phone: value } } as const);
    await handleCommand(deps.store, accountDecider, streamName('account', accountId), command, cause);
    const changed = await finishContactChange(deps, { accountId, changeId });
    if (!changed) return null;
    await deps.readSide.waitFor(READ_MODELS, changed.position);
    deps.logger.info({ event: 'contact-changed', contact: kind, account: accountId });
    return changed;
  }

  return {
    async byLink(token: string, { address, correlation }: Coming): Promise<Changed> {
      await perAddress.consume(addressKey(address));
      const change = await changeOfSecret(deps.db, keys, { kind: 'email', secret: token }, deps.now());
      const changed = change && (await happen(change, correlation));
      if (!changed) throw deadLink();
      return changed;
    },
    async byCode({ accountId }: Session, code: string, { correlation }: Coming): Promise<Changed> {
      const secret = (changeId: string) => codeSecret(deps.config, changeId, code);
      const tried = { accountId, kind: 'mobile', secret, mostTries: MOST_TRIES } as const;
      const change = await trySecret(deps.db, keys, tried, deps.now());
      if (change) await countVerified(deps.db, change.changeId, deps.now());
      const changed = change && (await happen(change, correlation));
      if (!changed) throw wrongCode();
      return changed;
    },
  };
}

/** What stands for a code of six digits where it is stored: without our key, no trying out tells which. */
export function codeSecret({ keys }: Pick<Deps['config'], 'keys'>, changeId: string, code: string): string {
  return createHmac('sha256', keys.claim).update(`contact code ${changeId} ${code}`).digest('base64url');
}
