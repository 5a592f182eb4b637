import { sendHeldBack } from '#api/accounts/email-confirmation.ts';
import {
  type Account,
  foldAccount,
  loadAccount,
  loadBusiness,
  readAccount,
} from '#api/accounts/load-account.ts';
import { voidResetTokens } from '#api/accounts/passwords/reset-tokens.ts';
import { reservationKey, settle } from '#api/accounts/reservations.ts';
import type { Deps } from '#api/deps.ts';
import type { MessageData } from '#api/outbox/queue.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { product } from '#core/values/product.ts';
import { endContactChange, findContactChange } from './contact-changes.ts';

type FinishDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now' | 'messages'>;

/** `changeId` is the id of the command that changed it. */
type ChangeIds = Readonly<{ accountId: string; changeId: string }>;

/** An account on both sides of a change of email or mobile. */
export type Changed = Readonly<{ before: Account; after: Account }>;

type Recorded = Changed & Readonly<{ present: Account; position: Position }>;

/** Both sides of a change; null when it is not in the log: then it never happened, or is still under way. */
export async function readContactChange(
  deps: Pick<Deps, 'store'>,
  { accountId, changeId }: ChangeIds,
): Promise<Recorded | null> {
  const recorded = await readAccount(deps, accountId);
  const index = recorded.findIndex(({ metadata }) => metadata.causation === changeId);
  const before = foldAccount(recorded.slice(0, Math.max(0, index)));
  const after = foldAccount(recorded.slice(0, index + 1));
  const present = foldAccount(recorded);
  if (!before || !after || !present) return null;
  return { before, after, present, position: recorded[index]?.position ?? '0' };
}

/**
 * Everything that follows from a change of email or mobile which is in the log: reservations, the public page if it showed the
 * old one, links to the old address, mail that waited for a confirmed one. Runs right after the change, and again as a
 * process, so that a crash between leaves nothing half done. Answers where the log was when all of it had happened; null
 * when the change is not in the log.
 */
export async function finishContactChange(
  deps: FinishDeps,
  ids: ChangeIds,
): Promise<(Changed & Readonly<{ position: Position }>) | null> {
  const change = await readContactChange(deps, ids);
  if (!change) return null;
  const { before, after, position } = change;
  await settleReservations(deps, ids.accountId);
  const published = await publishAnew(deps, { ...change, changeId: ids.changeId });
  if (before.email !== after.email) {
    await voidResetTokens(deps.db, ids.accountId, deps.now());
    await sendHeldBack(deps, after.businessId);
  }
  await endContactChange(deps.db, ids.changeId);
  return { before, after, position: published ?? position };
}

type Publishing = Omit<Recorded, 'position'> & Readonly<{ changeId: string }>;

/** The page that showed the old address shows the new one, unless that was changed again; null when there is nothing to do. */
async function publishAnew(
  { store, now }: FinishDeps,
  { before, after, present, changeId }: Publishing,
): Promise<Position | null> {
  const { accountId, businessId } = after;
  const business = await loadBusiness({ store }, businessId);
  if (!business) return null;
  const { email, phone } = business.contact;
  const contact = {
    email: email === before.email && present.email === after.email ? after.email : email,
    phone: phone === before.phone && present.phone === after.phone ? after.phone : phone,
  };
  if (contact.email === email && contact.phone === phone) return null;
  const command = {
    type: 'PublishBusinessContact',
    at: now().toISOString(),
    data: { businessId, ...contact },
  } as const;
  const cause = {
    commandId: uuidV5(changeId, command.type),
    actor: `account:${accountId}`,
    correlation: changeId,
  };
  const stream = streamName('business', businessId);
  return (await handleCommand(store, businessDecider, stream, command, cause)).position;
}

/** The change that a notice is about is not in the log yet, and still may get there: to be tried again. */
class ChangeUnderWayError extends Error {
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

type SettleDeps = Pick<Deps, 'config' | 'db' | 'store'>;

/**
 * Makes an account's reservations say what its events say: the email and mobile that it has are its own, those that it had are
 * free, in one step. May run late, twice or at once: no run takes back what a newer one did. What is merely held is
 * left alone, as another change may be about to need it.
 */
async function settleReservations(deps: SettleDeps, accountId: string): Promise<void> {
  const { account, revision } = await loadAccount(deps, accountId);
  await inTransaction(deps.db, async (db) => {
    const { rowCount } = await db.query(
      'update state.credentials set reservations_revision = $2 where account_id = $1 and reservations_revision <= $2',
      [accountId, revision],
    );
    if (rowCount !== 1) return;
    const email = { kind: 'email', key: reservationKey(deps.config, 'email', account.email) } as const;
    const mobile = { kind: 'mobile', key: reservationKey(deps.config, 'mobile', account.phone) } as const;
    for (const reservation of [email, mobile]) await settle(db, accountId, reservation, null);
  });
}
