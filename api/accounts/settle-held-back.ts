import type { Deps } from '#api/deps.ts';
import { businessesHeldBack, lapseHeldBack, releaseHeldBack } from '#api/messages/outbox/outbox.ts';
import { isEmailTrusted } from '#core/account/state.ts';
import { loadAccount, loadBusiness } from './load-account.ts';

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
