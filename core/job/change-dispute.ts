import { InvalidInputError } from '#core/kernel/errors.ts';
import { disputeLimits, disputeReasonMessage, disputeUntilMessage } from '#core/values/record.ts';
import type { CloseJobDispute, OpenJobDispute } from './commands.ts';
import type { Dispute } from './dispute.ts';
import { assertNotErased } from './erasure.ts';
import type { JobEvent } from './events.ts';
import { type ExistingJob, idsOf } from './state.ts';

/** Throws InvalidInputError for an end that has passed or is more than a year ahead, ConflictError for an erased customer. */
export function openDispute(job: ExistingJob, { at, data: { until, reason } }: OpenJobDispute): JobEvent[] {
  assertNotErased(job);
  const fields = keepingProblems({ until, reason }, at);
  if (Object.keys(fields).length > 0) throw new InvalidInputError('Please check what you entered', fields);
  if (job.dispute?.until === until && job.dispute.reason === reason) return [];
  return [{ type: 'JobDisputeOpened', data: { ...idsOf(job), until, reason, openedAt: at } }];
}

/** What is wrong with how long, and why, something is to be kept from being erased, by field; `{}` when nothing is. */
export function keepingProblems(
  { until, reason }: NonNullable<Dispute>,
  at: string,
): Readonly<Record<string, string>> {
  const latest = new Date(at);
  latest.setUTCMonth(latest.getUTCMonth() + disputeLimits.months);
  const isInTime = Date.parse(until) > Date.parse(at) && Date.parse(until) <= latest.getTime();
  return {
    ...(!isInTime && { until: disputeUntilMessage }),
    ...(reason.length > disputeLimits.reason && { reason: disputeReasonMessage }),
  };
}

/** Of a job without a dispute it changes nothing. */
export function closeDispute(job: ExistingJob, { at }: CloseJobDispute): JobEvent[] {
  if (job.dispute === null) return [];
  return [{ type: 'JobDisputeClosed', data: { ...idsOf(job), closedAt: at } }];
}
