import { accepted } from '#core/job/answer/decide.ts';
import type { AnswerEvent } from '#core/job/answer/events.ts';
import { type Change, type Handlers, idsOf, type JobIds } from '#core/job/part.ts';
import type { Command } from '#core/kernel/decider.ts';
import { IllegalTransitionError } from '#core/kernel/errors.ts';
import { type StatusEvent, type StatusState, statusEvents, statusState } from './events.ts';
import { isWorkingStatus, type WorkingStatus } from './statuses.ts';
import { statusEntries, statusView } from './view.ts';

export type ChangeJobStatus = Command<'ChangeJobStatus', Change & { status: WorkingStatus }>;

export const status = {
  events: statusEvents,
  ...statusState,
  handle: {
    ChangeJobStatus(job, { at, data: { status } }) {
      if (!isWorkingStatus(status)) throw new IllegalTransitionError('A job cannot be set to this status');
      if (job.status === 'Pending') throw new IllegalTransitionError('Accept the job to change its status');
      if (job.status === status) return [];
      if (job.status !== 'Rejected') return [statusChanged(job, status, at)];
      const acceptance = accepted(job, at);
      return status === 'To quote' ? [acceptance] : [acceptance, statusChanged(job, status, at)];
    },
  } satisfies Handlers<ChangeJobStatus, JobIds & StatusState, StatusEvent | AnswerEvent>,
  view: statusView,
  history: statusEntries,
  erasedEntries: {},
};

function statusChanged(job: JobIds, status: WorkingStatus, at: string): StatusEvent {
  return status === 'Unsuccessful'
    ? { type: 'JobMarkedUnsuccessful', data: { ...idsOf(job), markedAt: at } }
    : { type: 'JobStatusChanged', data: { ...idsOf(job), status, changedAt: at } };
}
