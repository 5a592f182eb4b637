import { voidContactChanges } from '#api/accounts/contact/contact-changes.ts';
import { type OwnerCheck, replaceHash } from '#api/accounts/credentials.ts';
import { loadAccount } from '#api/accounts/load-account.ts';
import { assertNewPassword, passwordsOf } from '#api/accounts/passwords.ts';
import { revokeSessions } from '#api/accounts/sessions.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/answers.ts';
import { addressKey } from '#api/http/client-address.ts';
import type { Turn } from '#api/http/gate.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { type Session, turnOf } from '#api/http/request-context.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { accountOfResetToken, spendResetToken, voidResetTokens } from './reset-tokens.ts';

type PasswordChange = Readonly<{
  currentPassword: string;
  newPassword: string;
  confirmPassword?: string;
}>;

/**
 * Another password for the signed-in account. This session stays, all others end; links and codes that were sent before
 * are dead, and the owner is notified by mail.
 */
export function createChangePassword(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'store' | 'logger' | 'messages'>,
  checkOwner: OwnerCheck,
) {
  return async (session: Session, change: PasswordChange, request: Request): Promise<void> => {
    const { accountId } = session;
    assertNewPassword(change, (await loadAccount(deps, accountId)).account.email);
    const { setAt } = await checkOwner(session, change.currentPassword, request);
    const hash = await passwordsOf(deps.config).hash(change.newPassword, turnOf(deps, request));
    const now = deps.now();
    await inTransaction(deps.db, async (db) => {
      if (!(await replaceHash(db, { accountId, hash, setAt }, now))) {
        throw new HttpError(
          'changed-meanwhile',
          'Your password was changed by somebody else just now, please try again',
        );
      }
      await revokeSessions(db, accountId, now, session.id);
      await voidResetTokens(db, accountId, now);
      await voidContactChanges(db, accountId);
      await queueMessage(db, { id: deps.newId(), kind: 'password-changed', data: { accountId } }, now);
    });
    deps.messages?.notify();
    deps.logger.info({ event: 'password-changed', account: accountId });
  };
}

const PER_ADDRESS = { name: 'reset-address', points: 20, seconds: 3_600 };

const CHECKS_PER_ADDRESS = { name: 'reset-check-address', points: 20, seconds: 3_600 };

/** Both readings of the specification: `token`, or `code` with a `user` that is never looked at. */
type ResetRequest = Readonly<{
  token?: string;
  code?: string;
  user?: unknown;
  newPassword: string;
  confirmPassword: string;
}>;

/** Who sets it: the client's address, and its turn at the hashes. */
type Resetting = Readonly<{ address: string; turn: Turn }>;

/** One answer for a secret that expired, was used, was replaced or never was. */
const deadLink = () =>
  new HttpError('link-over', 'This link has expired or was already used. Please ask for a new one.');

/**
 * Sets a password anew for the account that the secret belongs to, once. Every session of the account ends, addresses
 * that waited for a confirmation are dropped, and its owner is notified by mail.
 */
export function createResetPassword(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'store' | 'logger' | 'messages'>,
) {
  const perAddress = sharedLimiter(deps, PER_ADDRESS);

  return async (request: ResetRequest, { address, turn }: Resetting): Promise<void> => {
    const token = request.token || request.code;
    if (!token) throw new HttpError('invalid', 'Missing reset data');
    await perAddress.consume(addressKey(address));
    assertNewPassword(request);
    // Without a living secret this process does not hash.
    const accountId = await accountOfResetToken(deps.db, token, deps.now());
    if (!accountId) throw deadLink();
    assertNewPassword(request, (await loadAccount(deps, accountId)).account.email);
    const hash = await passwordsOf(deps.config).hash(request.newPassword, turn);
    const now = deps.now();
    await inTransaction(deps.db, async (db) => {
      if (!(await spendResetToken(db, token, now))) throw deadLink();
      await replaceHash(db, { accountId, hash }, now);
      await revokeSessions(db, accountId, now);
      await voidContactChanges(db, accountId);
      await queueMessage(db, { id: deps.newId(), kind: 'password-changed', data: { accountId } }, now);
    });
    deps.messages?.notify();
    deps.logger.info({ event: 'password-reset', account: accountId });
  };
}

/**
 * Throws what setting a password would throw for a link that is dead, before one is typed, and uses nothing up: a mail
 * scanner that opens the page leaves the link as it was. A budget of its own, so that looking costs no reset.
 */
export function createLinkCheck(deps: Clock & Pick<Deps, 'config' | 'db'>) {
  const perAddress = sharedLimiter(deps, CHECKS_PER_ADDRESS);

  return async (token: string, address: string): Promise<void> => {
    await perAddress.consume(addressKey(address));
    if ((await accountOfResetToken(deps.db, token, deps.now())) === null) throw deadLink();
  };
}
