import { voidContactChanges } from '#api/accounts/contact/contact-changes.ts';
import { loadAccount } from '#api/accounts/load-account.ts';
import { replaceHash } from '#api/accounts/sign-in/credentials.ts';
import type { OwnerCheck } from '#api/accounts/sign-in/owner-check.ts';
import { revokeSessions } from '#api/accounts/sign-in/sessions.ts';
import type { Clock, Deps } from '#api/deps.ts';
import { HttpError } from '#api/http/http-errors.ts';
import type { Session } from '#api/http/request-context.ts';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { assertNewPassword } from './new-password.ts';
import { passwords } from './passwords.ts';
import { voidResetTokens } from './reset-tokens.ts';

export type PasswordChange = Readonly<{
  currentPassword: string;
  newPassword: string;
  confirmPassword?: string;
}>;

/**
 * Another password for the signed-in account. This session stays, all others end; links and codes that were sent before
 * are dead, and the owner is notified by mail.
 */
export function createChangePassword(
  deps: Clock & Pick<Deps, 'db' | 'store' | 'logger' | 'messages'>,
  checkOwner: OwnerCheck,
) {
  return async (session: Session, change: PasswordChange, request: Request): Promise<void> => {
    const { accountId } = session;
    assertNewPassword(change, (await loadAccount(deps, accountId)).account.email);
    const { setAt } = await checkOwner(session, change.currentPassword, request);
    const hash = await passwords.hash(change.newPassword);
    const now = deps.now();
    await inTransaction(deps.db, async (db) => {
      if (!(await replaceHash(db, { accountId, hash, setAt }, now))) {
        throw new HttpError(409, 'Your password was changed by somebody else just now, please try again');
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
