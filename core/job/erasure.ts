import { ConflictError } from '#core/kernel/errors.ts';
import type { CancelCustomerErasure, EraseCustomer, PlanCustomerErasure } from './commands.ts';
import type { JobEvent } from './events.ts';
import { type ExistingJob, idsOf } from './state.ts';

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
