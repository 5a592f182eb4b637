import { voidContactChanges } from '#api/accounts/contact/contact-changes.ts';
import { loadAccount } from '#api/accounts/load-account.ts';
import { replaceHash } from '#api/accounts/sign-in/credentials.ts';
import { revokeSessions } from '#api/accounts/sign-in/sessions.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { addressKey } from '#api/http/client-address.ts';
import { HttpError } from '#api/http/http-errors.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { assertNewPassword } from './new-password.ts';
import { passwords } from './passwords.ts';
import { accountOfResetToken, spendResetToken } from './reset-tokens.ts';

const PER_ADDRESS = { name: 'reset-address', points: 20, seconds: 3_600 };

/** Both readings of the specification: `token`, or `code` with a `user` that is never looked at. */
export type ResetRequest = Readonly<{
  token?: string;
  code?: string;
  user?: unknown;
  newPassword: string;
  confirmPassword: string;
}>;

/** One answer for a secret that expired, was used, was replaced or never was. */
const deadLink = () =>
  new HttpError(422, 'This link has expired or was already used. Please ask for a new one.');

/**
 * Sets a password anew for the account that the secret belongs to, once. Every session of the account ends, addresses
 * that waited for a confirmation are dropped, and its owner is notified by mail.
 */
export function createResetPassword(
  deps: Clock & Pick<Deps, 'config' | 'db' | 'store' | 'logger' | 'messages'>,
) {
  const perAddress = sharedLimiter(deps, PER_ADDRESS);

  return async (request: ResetRequest, address: string): Promise<void> => {
    const token = request.token || request.code;
    if (!token) throw new HttpError(422, 'Missing reset data');
    await perAddress.consume(addressKey(address));
    assertNewPassword(request);
    // Without a living secret this process does not hash.
    const accountId = await accountOfResetToken(deps.db, token, deps.now());
    if (!accountId) throw deadLink();
    assertNewPassword(request, (await loadAccount(deps, accountId)).account.email);
    const hash = await passwords.hash(request.newPassword);
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
