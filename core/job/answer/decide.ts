import type { CustomerState } from '#core/job/customer/events.ts';
import { type Change, type Handlers, idsOf, type JobIds, type OfJob } from '#core/job/part.ts';
import { assertNotErased } from '#core/job/retention/decide.ts';
import type { RetentionState } from '#core/job/retention/events.ts';
import type { StatusState } from '#core/job/status/events.ts';
import { isWorkingStatus } from '#core/job/status/statuses.ts';
import type { Command } from '#core/kernel/decider.ts';
import { ConflictError, IllegalTransitionError } from '#core/kernel/errors.ts';
import type { AnswerEvent, AnswerState } from './events.ts';
import type { RejectionReason } from './rejection-reasons.ts';

/** `onlyWhilePending`: given from a message that may be days old, so that an answer given meanwhile stays. */
type Answer = Change & Readonly<{ onlyWhilePending?: boolean }>;

export type AcceptJob = Command<'AcceptJob', Answer>;
export type RejectJob = Command<'RejectJob', Answer>;
/** Why a job was rejected, said after it was. Another reason later counts from then on. */
export type ExplainRejection = Command<'ExplainRejection', OfJob & { reason: RejectionReason }>;
/** The tradie looks at a job: the first time counts, while it waits for an answer. */
export type OpenJob = Command<'OpenJob', OfJob>;

type Job = JobIds &
  AnswerState &
  StatusState &
  Pick<RetentionState, 'isErased'> &
  Pick<CustomerState, 'isNoLongerNeeded'>;

export const answeredAlreadyMessage = 'This job was answered already';
export const notNeededMessage = 'The customer no longer needs this job';

export const answerHandlers = {
  AcceptJob(job, command) {
    assertAnswerable(job, command);
    return isWorkingStatus(job.status) ? [] : [accepted(job, command.at)];
  },

  RejectJob(job, command) {
    assertAnswerable(job, command);
    if (job.status === 'Rejected') return [];
    if (job.status !== 'Pending') throw new IllegalTransitionError('Only a pending job can be rejected');
    return [{ type: 'JobRejected', data: { ...idsOf(job), rejectedAt: command.at } }];
  },

  ExplainRejection(job, { at, data: { reason } }) {
    assertNotErased(job);
    if (job.status !== 'Rejected') throw new IllegalTransitionError('This job is not rejected');
    if (reason === job.rejectionReason) return [];
    return [{ type: 'JobRejectionExplained', data: { ...idsOf(job), reason, explainedAt: at } }];
  },

  OpenJob(job, { at }) {
    if (job.status !== 'Pending' || job.isOpened) return [];
    return [{ type: 'JobOpened', data: { ...idsOf(job), openedAt: at } }];
  },
} satisfies Handlers<AcceptJob | RejectJob | ExplainRejection | OpenJob, Job, AnswerEvent>;

/** Refuses an answer from a message to a job that does not wait for it any more. */
function assertAnswerable(job: Job, { data }: AcceptJob | RejectJob): void {
  if (!data.onlyWhilePending) return;
  if (job.status !== 'Pending') throw new ConflictError(answeredAlreadyMessage);
  if (job.isNoLongerNeeded) throw new ConflictError(notNeededMessage);
}

/** The acceptance of a job at an instant. */
export function accepted(job: JobIds, at: string): AnswerEvent {
  return { type: 'JobAccepted', data: { ...idsOf(job), acceptedAt: at } };
}
