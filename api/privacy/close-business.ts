import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { closedMessage } from '#core/business/decider.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { countCustomersOf } from '#projections/jobs/erased.ts';
import { openErasuresOf } from './erasures.ts';
import { cancelErasure, requestErasure } from './request-erasure.ts';

const operatorsMessage = 'The operator of this installation closes the business: ask them to keep it open';

const NAMESPACE = '0f1c4f0a-7a55-5c0e-8a3e-2d7b1f5f7c11';
const AWAITED = ['accounts', 'public-form'];

type ClosingDeps = Pick<Deps, 'db' | 'store' | 'readSide' | 'now' | 'messages' | 'logger'>;

/**
 * Closes the business of a session in thirty days, and tells its owner by mail; nothing where that is so already. Throws
 * ConflictError once it is closed.
 */
export async function closeBusiness(deps: ClosingDeps, { accountId, businessId }: Session): Promise<void> {
  const business = await loadBusiness(deps, businessId);
  if (!business || business.isClosed) throw new ConflictError(closedMessage);
  if (business.closing !== null) return;
  const end = (await deps.store.readStream(streamName('business', businessId))).at(-1)?.revision ?? -1;
  // Of two presses at once the second is the first again.
  const erasureId = uuidV5(NAMESPACE, `${businessId}/${end}`);
  await requestErasure(deps, {
    ...{ erasureId, scope: 'business', basis: 'account-closed', businessId, ids: [businessId] },
    actor: `account:${accountId}`,
  });
  const id = uuidV5(NAMESPACE, `${erasureId}/mail`);
  await queueMessage(deps.db, { id, kind: 'business-closing', data: { accountId } }, deps.now());
  deps.messages?.notify();
  deps.logger.info({ event: 'business-closing', business: businessId });
  await deps.readSide.waitFor(AWAITED, await deps.store.head());
}

/**
 * Takes the closing of a business back, also one that did not get to say so on the business. Throws ConflictError where the
 * operator closes it, or it has begun.
 */
export async function keepBusinessOpen(deps: ClosingDeps, { accountId, businessId }: Session): Promise<void> {
  const open = await openErasuresOf(deps.db, businessId);
  if (open.some(({ basis }) => basis === 'operator')) throw new ConflictError(operatorsMessage);
  const planned = (await loadBusiness(deps, businessId))?.closing?.erasureId;
  const ids = new Set([...open.map(({ erasureId }) => erasureId), ...(planned ? [planned] : [])]);
  for (const erasureId of ids) await cancelErasure(deps, erasureId, `account:${accountId}`);
  await deps.readSide.waitFor(AWAITED, await deps.store.head());
}

/** When a business is to be closed, from its own stream, and how many jobs have details of a customer. */
export async function closingOf(deps: Pick<Deps, 'db' | 'store'>, { businessId }: Session) {
  const business = await loadBusiness(deps, businessId);
  const closesAt = business?.closing?.dueAt ?? null;
  return { closesAt, jobs: await countCustomersOf(deps.db, [businessId]) };
}
