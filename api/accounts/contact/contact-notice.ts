import type { Deps } from '#api/deps.ts';
import type { MessageData } from '#api/messages/outbox/outbox.ts';
import { product } from '#core/values/product.ts';
import { findContactChange } from './contact-changes.ts';
import { type Changed, readContactChange } from './finish-contact-change.ts';

/** The change that a notice is about is not in the log yet, and still may get there: to be tried again. */
export class ChangeUnderWayError extends Error {
  override readonly name = 'ChangeUnderWayError';
}

/** Both sides of a change of email or mobile; null when it never happened. Throws ChangeUnderWayError while that is open. */
export async function settledChange(
  deps: Pick<Deps, 'config' | 'db' | 'store' | 'now'>,
  { accountId, changeId }: MessageData,
): Promise<Changed | null> {
  const ids = { accountId: String(accountId), changeId: String(changeId) };
  const changed = await readContactChange(deps, ids);
  if (!changed && (await findContactChange(deps.db, deps.config.keys, ids.changeId, deps.now()))) {
    throw new ChangeUnderWayError();
  }
  return changed;
}

/** Whom to turn to when the owner did not change it. */
export function helpWords({ config }: Pick<Deps, 'config'>): string {
  const { contact } = config.product;
  const reached = contact ? `${contact.phone} or ${contact.email}` : `${product.name}`;
  return `If it was not you, contact ${reached} right away.`;
}
