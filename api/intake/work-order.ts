import { type } from 'arktype';
import type { Deps } from '#api/deps.ts';
import { recordIdempotencyKey } from '#api/http/idempotency.ts';
import { assertSlot, Instant, storedInstant } from '#api/jobs/scheduled-time.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { jobDecider } from '#core/job/job.ts';
import type { ReceiveWorkOrder } from '#core/job/request/decide.ts';
import { assertSound, NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { malformedMessage, normaliseJobRequest, validateJobRequest } from '#core/values/job-form.ts';
import { placeFields, pointProblems } from '#core/values/place.ts';
import type { Region } from '#core/values/region.ts';
import { getTimeZone } from '#projections/accounts/read.ts';
import { findForm } from './public-form.ts';

/**
 * The body of POST /work-orders: a job for the business whose public form is at `/t/{business}`. Closed. Fields are those of
 * the public form, in its words; `scheduledAt` is an instant with its offset.
 */
export const WorkOrder = type({
  '+': 'reject',
  business: '3 <= string <= 20',
  name: 'string',
  email: 'string',
  phone: 'string',
  address: 'string',
  title: 'string',
  'description?': 'string',
  'isUrgent?': 'boolean',
  'scheduledAt?': Instant.or('null'),
  ...placeFields,
})
  .configure({ message: () => malformedMessage }, 'references')
  .narrow((order, ctx) => {
    const problems = { ...validateJobRequest(order, null), ...pointProblems(order) };
    for (const [field, message] of Object.entries(problems)) ctx.error({ path: [field], message });
    return !ctx.hasError();
  });
export type WorkOrder = typeof WorkOrder.infer;

/** The order, and the key under which it is the same one however often it comes. */
export type Receipt = Readonly<{ order: WorkOrder; key: string; correlation: string }>;

/**
 * Gives a business a job from the product itself; answers the job's id. Throws NotFoundError when there is no such
 * business, InvalidInputError for a phone that its country does not read, when the time is no slot of it or the key stands for
 * another order.
 */
export async function receiveWorkOrder(
  deps: Pick<Deps, 'config' | 'db' | 'store' | 'now'>,
  { order, key, correlation }: Receipt,
): Promise<string> {
  const found = await findForm(deps, order.business);
  const timeZone = found && (await getTimeZone(deps.db, found.businessId));
  if (!found || !timeZone) throw new NotFoundError('Business not found');
  const { businessId, form } = found;
  assertSound(validateJobRequest(order, form.region));
  const now = deps.now();
  const use = { scope: 'work-orders', key, body: order, resultId: uuidV5(businessId, `work order ${key}`) };
  const jobId = await inTransaction(deps.db, async (db) => {
    const { repeat, resultId } = await recordIdempotencyKey(db, use, now);
    if (!repeat) assertSlot(order.scheduledAt ?? null, { timeZone, now });
    return resultId;
  });
  const command: ReceiveWorkOrder = {
    type: 'ReceiveWorkOrder',
    at: now.toISOString(),
    data: { jobId, businessId, ...contentOf(order, form.region) },
  };
  const cause = { commandId: jobId, actor: 'system', correlation };
  await handleCommand(deps.store, jobDecider, streamName('job', jobId), command, cause);
  return jobId;
}

function contentOf(
  order: WorkOrder,
  country: Region,
): Omit<ReceiveWorkOrder['data'], 'jobId' | 'businessId'> {
  const { name, email, phone, address, title, description } = normaliseJobRequest(order, country);
  const { placeId = null, lat = null, lng = null, isUrgent = false, scheduledAt = null } = order;
  return {
    ...{ name, email, phone, title, description, isUrgent, scheduledAt: storedInstant(scheduledAt) },
    location: { address, placeId, lat, lng },
  };
}
