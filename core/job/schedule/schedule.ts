import { type Change, type Handlers, type History, idsOf, type JobIds, unchanged } from '#core/job/part.ts';
import type { StatusState } from '#core/job/status/events.ts';
import { isWorkingStatus } from '#core/job/status/statuses.ts';
import type { Command } from '#core/kernel/decider.ts';
import { IllegalTransitionError } from '#core/kernel/errors.ts';
import { type ScheduleEvent, type ScheduleState, scheduleEvents, scheduleState } from './events.ts';
import type { ScheduleEntries } from './words.ts';

/** `scheduledAt` is an instant as `Date.toISOString` writes it; null takes the job off the schedule. */
export type ScheduleJob = Command<'ScheduleJob', Change & { scheduledAt: string | null }>;

export const schedule = {
  events: scheduleEvents,
  ...scheduleState,
  handle: {
    ScheduleJob(job, { at, data: { scheduledAt } }) {
      if (scheduledAt === job.scheduledAt) return [];
      if (!isWorkingStatus(job.status)) throw new IllegalTransitionError('Accept the job to schedule it');
      if (job.status === 'Unsuccessful')
        throw new IllegalTransitionError('Not available for unsuccessful jobs');
      return [{ type: 'JobScheduled', data: { ...idsOf(job), scheduledAt, changedAt: at } }];
    },
  } satisfies Handlers<ScheduleJob, JobIds & ScheduleState & StatusState, ScheduleEvent>,
  view: {
    ...scheduleState,
    card: ({ scheduledAt }: ScheduleState): ScheduleState => ({ scheduledAt }),
    page: unchanged,
  },
  history: {
    JobScheduled: (_, before, after) => [moved(before, after)],
    JobScheduleRestored: (_, before, after) => [moved(before, after)],
  } satisfies History<typeof scheduleEvents, ScheduleState, ScheduleEntries>,
  erasedEntries: {},
};

function moved({ scheduledAt: from }: ScheduleState, { scheduledAt: to }: ScheduleState) {
  return { what: 'schedule', from, to } as const;
}
