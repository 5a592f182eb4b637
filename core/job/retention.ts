import { ConflictError, InvalidInputError } from '#core/kernel/errors.ts';
import { keepingProblems } from '#core/values/stored-details.ts';
import type {
  CancelCustomerErasure,
  CloseJobDispute,
  EraseCustomer,
  OpenJobDispute,
  PlanCustomerErasure,
} from './commands.ts';
import type { JobEvent } from './events.ts';
import { type ExistingJob, idsOf } from './state.ts';
import { hidesContact, type JobStatus } from './statuses.ts';

/** Which rule a customer's details are stored by: the job was never accepted, or it was worked on. */
export type RetentionRule = 'never-accepted' | 'worked-on';

/** How long after a job's last event its customer's details are stored, in months; `years` is what its business chose. */
function retentionMonths(rule: RetentionRule, years: number): number {
  return rule === 'never-accepted' ? 12 : 12 * years;
}

/** The rule for a job in this status. */
export function retentionRule(status: JobStatus): RetentionRule {
  return hidesContact(status) ? 'never-accepted' : 'worked-on';
}

/** Until when a customer's details are stored by this rule: so many months after the job's last event. */
export function retainedUntil(rule: RetentionRule, lastEventAt: Date, years: number): Date {
  return monthsFrom(lastEventAt, retentionMonths(rule, years));
}

/**
 * Before which instant the last event of a job lies whose time is over by this rule: the same day and time of the UTC calendar, months
 * ago, or the last day of a shorter month.
 */
export function retentionEnd(rule: RetentionRule, now: Date, years: number): Date {
  return monthsFrom(now, -retentionMonths(rule, years));
}

function monthsFrom(from: Date, months: number): Date {
  const end = new Date(from);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const days = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(from.getUTCDate(), days));
  return end;
}

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
