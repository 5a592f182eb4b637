import { type } from 'arktype';
import { Elysia } from 'elysia';
import { loadBusiness } from '#api/accounts/load-account.ts';
import { createOwnerCheck } from '#api/accounts/sign-in/credentials.ts';
import type { Deps } from '#api/deps.ts';
import { ok } from '#api/http/answers.ts';
import { auth } from '#api/http/auth.ts';
import type { Session } from '#api/http/request-context.ts';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { closedMessage } from '#core/business/decider.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { countCustomersOf } from '#projections/jobs/erased.ts';
import { openErasuresOf } from './erasures.ts';
import { cancelErasure, requestErasure } from './request-erasure.ts';

const Asked = type({ '+': 'reject', currentPassword: 'string <= 1000' });

const operatorsMessage = 'The operator of this installation closes the business: ask them to keep it open';

const shown = {
  summary: 'Whether the business is to be closed, and what goes with it',
  description:
    '`jobs`: how many jobs have details of a customer. `closesAt` is null while the business stays open.',
};
const asked = {
  summary: 'Closes the business in thirty days',
  description:
    'Until then its public page is offline, and DELETE takes it back. The same again changes nothing. The owner is told by mail.',
};

/**
 * GET /settings/closing → { closing } · POST … { currentPassword } → { closing }: the business goes in thirty days, with its account and
 * its jobs · DELETE … → { closing }: it stays open after all. 409 once that has begun, and for DELETE where the operator closes it.
 */
export function closingRoutes(deps: Deps) {
  const checkOwner = createOwnerCheck(deps);
  return new Elysia({ name: 'closing', prefix: '/settings/closing' })
    .use(auth(deps))
    .get('', async ({ session }) => ok({ closing: await closingOf(deps, session) }), {
      signedIn: true,
      detail: shown,
    })
    .post(
      '',
      async ({ session, body, request }) => {
        await checkOwner(session, body.currentPassword, request);
        await close(deps, session);
        return ok({ closing: await closingOf(deps, session) });
      },
      { signedIn: true, body: Asked, detail: asked },
    )
    .delete(
      '',
      async ({ session }) => {
        await keepOpen(deps, session);
        return ok({ closing: await closingOf(deps, session) });
      },
      { signedIn: true, detail: { summary: 'Keeps the business open after all' } },
    );
}

const NAMESPACE = '0f1c4f0a-7a55-5c0e-8a3e-2d7b1f5f7c11';
const AWAITED = ['accounts', 'public-form'];

async function close(deps: Deps, { accountId, businessId }: Session): Promise<void> {
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

/** Also what a press asked for that did not get to say so on the business. */
async function keepOpen(deps: Deps, { accountId, businessId }: Session): Promise<void> {
  const open = await openErasuresOf(deps.db, businessId);
  if (open.some(({ basis }) => basis === 'operator')) throw new ConflictError(operatorsMessage);
  const planned = (await loadBusiness(deps, businessId))?.closing?.erasureId;
  const ids = new Set([...open.map(({ erasureId }) => erasureId), ...(planned ? [planned] : [])]);
  for (const erasureId of ids) await cancelErasure(deps, erasureId, `account:${accountId}`);
  await deps.readSide.waitFor(AWAITED, await deps.store.head());
}

/** From its own stream: never behind. */
async function closingOf(deps: Pick<Deps, 'db' | 'store'>, { businessId }: Session) {
  const business = await loadBusiness(deps, businessId);
  const closesAt = business?.closing?.dueAt ?? null;
  return { closesAt, jobs: await countCustomersOf(deps.db, [businessId]) };
}
