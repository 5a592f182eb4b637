import { InvalidInputError } from '#core/kernel/errors.ts';
import { keepingProblems } from '#core/values/stored-details.ts';
import type { CloseJobDispute, OpenJobDispute } from './commands.ts';
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

/** Of a job without a dispute it changes nothing. */
export function closeDispute(job: ExistingJob, { at }: CloseJobDispute): JobEvent[] {
  if (job.dispute === null) return [];
  return [{ type: 'JobDisputeClosed', data: { ...idsOf(job), closedAt: at } }];
}
