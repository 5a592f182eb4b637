import { type Account, foldAccount, loadBusiness, readAccount } from '#api/accounts/load-account.ts';
import { voidResetTokens } from '#api/accounts/passwords/reset-tokens.ts';
import { sendHeldBack } from '#api/accounts/settle-held-back.ts';
import { settleReservations } from '#api/accounts/settle-reservations.ts';
import type { Deps } from '#api/deps.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Position } from '#core/event-store/port.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { endContactChange } from './contact-changes.ts';

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
