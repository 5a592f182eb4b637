import { ConflictError, InvalidInputError } from '#core/kernel/errors.ts';
import { keepingProblems } from '#core/values/stored-details.ts';
import type {
  CancelCustomerErasure,
  CloseJobDispute,
  EraseCustomer,
  OpenJobDispute,
  PlanCustomerErasure,
} from '../commands.ts';
import type { JobEvent } from '../events.ts';
import { type ExistingJob, idsOf } from '../state.ts';

export const erasedMessage = "This customer's details were removed";
export const erasurePlannedMessage = "This customer's details are being removed";

/** A plan that is there stays as it is, whichever erasure comes second. */
export function planErasure(job: ExistingJob, { at, data }: PlanCustomerErasure): JobEvent[] {
  if (job.isErased || job.plannedErasure !== null) return [];
  const { erasureId, dueAt } = data;
  return [{ type: 'CustomerErasurePlanned', data: { ...idsOf(job), erasureId, dueAt, plannedAt: at } }];
}

/** Takes back the plan of that erasure; another one stays. */
export function cancelErasure(job: ExistingJob, { at, data }: CancelCustomerErasure): JobEvent[] {
  const { erasureId } = data;
  if (job.plannedErasure !== erasureId) return [];
  return [{ type: 'CustomerErasureCancelled', data: { ...idsOf(job), erasureId, cancelledAt: at } }];
}

/** Removes the customer's details, whether that was planned or not; once. */
export function eraseCustomer(job: ExistingJob, { at, data }: EraseCustomer): JobEvent[] {
  if (job.isErased) return [];
  const { erasureId } = data;
  return [{ type: 'JobCustomerErased', data: { ...idsOf(job), erasureId, erasedAt: at } }];
}

/** Throws ConflictError where the customer was erased: no key is there to seal another text with. */
export function assertNotErased(job: ExistingJob): void {
  if (job.isErased) throw new ConflictError(erasedMessage);
}

/** Throws InvalidInputError for an end that has passed or is more than a year ahead, ConflictError for an erased customer. */
export function openDispute(job: ExistingJob, { at, data: { until, reason } }: OpenJobDispute): JobEvent[] {
  assertNotErased(job);
  const fields = keepingProblems({ until, reason }, at);
  if (Object.keys(fields).length > 0) throw new InvalidInputError('Please check what you entered', fields);
  if (job.dispute?.until === until && job.dispute.reason === reason) return [];
  return [{ type: 'JobDisputeOpened', data: { ...idsOf(job), until, reason, openedAt: at } }];
}

/** Of a job without a dispute it changes nothing. */
export function closeDispute(job: ExistingJob, { at }: CloseJobDispute): JobEvent[] {
  if (job.dispute === null) return [];
  return [{ type: 'JobDisputeClosed', data: { ...idsOf(job), closedAt: at } }];
}
