import { ofJob, type PartEvents, undo } from '#core/job/event-fields.ts';
import type { Evolve } from '#core/job/part.ts';
import type { JobOrigin } from '#core/job/request/events.ts';
import { type EventOf, event, instant } from '#core/kernel/event.ts';

/** When the tradie goes to a job. */
export const scheduleEvents = {
  /** `scheduledAt` null takes the job off the schedule. */
  JobScheduled: {
    ...event({ ...ofJob, scheduledAt: instant.or('null'), changedAt: instant }),
    changes: ['schedule'],
  },

  JobScheduleRestored: {
    ...event({ ...ofJob, ...undo, scheduledAt: instant.or('null') }),
    changes: ['schedule'],
  },
} satisfies PartEvents;

export type ScheduleEvent = EventOf<typeof scheduleEvents>;

/** `scheduledAt` is an instant; null while the job is not on the schedule. */
export type ScheduleState = Readonly<{ scheduledAt: string | null }>;

export const scheduleState = {
  begins: (origin: JobOrigin): ScheduleState => ({
    scheduledAt: origin.type === 'JobRequested' ? null : origin.data.scheduledAt,
  }),
  evolve: {
    JobScheduled: ({ scheduledAt }) => ({ scheduledAt }),
    JobScheduleRestored: ({ scheduledAt }) => ({ scheduledAt }),
  } satisfies Evolve<typeof scheduleEvents, ScheduleState>,
  erased: {},
};
