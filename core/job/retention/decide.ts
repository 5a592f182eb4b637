import { type Handlers, idsOf, type JobIds, type OfJob } from '#core/job/part.ts';
import type { StatusState } from '#core/job/status/events.ts';
import { hidesContact } from '#core/job/status/statuses.ts';
import type { Command } from '#core/kernel/decider.ts';
import { ConflictError, InvalidInputError } from '#core/kernel/errors.ts';
import { type KeepReason, keepingProblems } from '#core/values/stored-details.ts';
import type { RetentionEvent, RetentionState } from './events.ts';

/**
 * The customer asks for the removal of their details, once until it is carried out, taken back or refused. Refused where the business
 * answered that they stay until a later day: what was never accepted, it cannot keep.
 */
export type AskForRemoval = Command<'AskForRemoval', OfJob>;

/**
 * The business keeps the details that the customer asked to remove, until the instant `until`. The same again changes nothing, after its
 * day too. Refused for a job that was never accepted: its details go without the business.
 */
export type RefuseRemoval = Command<'RefuseRemoval', OfJob & { reason: KeepReason; until: string }>;

/** Nothing of the job is to be erased until the dispute is closed, and at most until `until`, an instant. Again: another end or reason. */
export type OpenJobDispute = Command<'OpenJobDispute', OfJob & { until: string; reason: string }>;
export type CloseJobDispute = Command<'CloseJobDispute', OfJob>;

/**
 * The customer's details are to be removed at `dueAt`, an instant: from now on the contact is withheld. A plan that is there stays as it
 * is, whichever erasure comes second.
 */
export type PlanCustomerErasure = Command<
  'PlanCustomerErasure',
  OfJob & { erasureId: string; dueAt: string }
>;
/** They are not to be removed after all; of another erasure than the one that is planned it changes nothing. */
export type CancelCustomerErasure = Command<'CancelCustomerErasure', OfJob & { erasureId: string }>;
/** They are removed now, whether that was planned or not. */
export type EraseCustomer = Command<'EraseCustomer', OfJob & { erasureId: string }>;

type RetentionCommand =
  | AskForRemoval
  | RefuseRemoval
  | OpenJobDispute
  | CloseJobDispute
  | PlanCustomerErasure
  | CancelCustomerErasure
  | EraseCustomer;

export const erasedMessage = "This customer's details were removed";
export const erasurePlannedMessage = "This customer's details are being removed";

const notAskedMessage = 'The customer does not ask for the removal of their details';
const keptMessage = 'The business answered that it keeps the details';

type Job = JobIds & RetentionState & StatusState;

export const retentionHandlers = {
  AskForRemoval(job, { at }) {
    if (job.isErased || job.plannedErasure !== null || job.isRemovalAsked) return [];
    if (isKept(job, at) && !hidesContact(job.status)) throw new ConflictError(keptMessage);
    return [{ type: 'CustomerRemovalAsked', data: { ...idsOf(job), askedAt: at } }];
  },

  RefuseRemoval(job, { at, data: { reason, until } }) {
    assertNotErased(job);
    if (!job.isRemovalAsked && (isKept(job, at) || job.keptUntil === until)) return [];
    if (!job.isRemovalAsked || hidesContact(job.status)) throw new ConflictError(notAskedMessage);
    return [{ type: 'CustomerRemovalRefused', data: { ...idsOf(job), reason, until, refusedAt: at } }];
  },

  OpenJobDispute(job, { at, data: { until, reason } }) {
    assertNotErased(job);
    const fields = keepingProblems({ until, reason }, at);
    if (Object.keys(fields).length > 0) throw new InvalidInputError('Please check what you entered', fields);
    if (job.dispute?.until === until && job.dispute.reason === reason) return [];
    return [{ type: 'JobDisputeOpened', data: { ...idsOf(job), until, reason, openedAt: at } }];
  },

  CloseJobDispute(job, { at }) {
    if (job.dispute === null) return [];
    return [{ type: 'JobDisputeClosed', data: { ...idsOf(job), closedAt: at } }];
  },

  PlanCustomerErasure(job, { at, data: { erasureId, dueAt } }) {
    if (job.isErased || job.plannedErasure !== null) return [];
    return [{ type: 'CustomerErasurePlanned', data: { ...idsOf(job), erasureId, dueAt, plannedAt: at } }];
  },

  CancelCustomerErasure(job, { at, data: { erasureId } }) {
    if (job.plannedErasure !== erasureId) return [];
    return [{ type: 'CustomerErasureCancelled', data: { ...idsOf(job), erasureId, cancelledAt: at } }];
  },

  EraseCustomer(job, { at, data: { erasureId } }) {
    if (job.isErased) return [];
    return [{ type: 'JobCustomerErased', data: { ...idsOf(job), erasureId, erasedAt: at } }];
  },
} satisfies Handlers<RetentionCommand, Job, RetentionEvent>;

/** Throws ConflictError where the customer was erased: no key is there to seal another text with. */
export function assertNotErased({ isErased }: Pick<RetentionState, 'isErased'>): void {
  if (isErased) throw new ConflictError(erasedMessage);
}

/** Whether the business answered that it keeps the details until a day that has not come. */
function isKept({ keptUntil }: RetentionState, at: string): boolean {
  return keptUntil !== null && Date.parse(keptUntil) > Date.parse(at);
}
