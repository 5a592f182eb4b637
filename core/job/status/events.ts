import { type } from 'arktype';
import { ofJob, type PartEvents, undo } from '#core/job/event-fields.ts';
import type { Evolve } from '#core/job/part.ts';
import type { JobOrigin } from '#core/job/request/events.ts';
import { type EventOf, event, instant } from '#core/kernel/event.ts';
import { type JobStatus, jobStatuses, workingStatuses } from './statuses.ts';

/** The status of a job beyond its answer. */
export const statusEvents = {
  JobStatusChanged: {
    ...event({
      ...ofJob,
      changedAt: instant,
      status: type.enumerated(...workingStatuses.filter((known) => known !== 'Unsuccessful')),
    }),
    changes: ['status'],
  },

  /** Also takes the job off the schedule. */
  JobMarkedUnsuccessful: { ...event({ ...ofJob, markedAt: instant }), changes: ['status', 'schedule'] },

  JobStatusRestored: {
    ...event({ ...ofJob, ...undo, status: type.enumerated(...jobStatuses) }),
    changes: ['status'],
  },
} satisfies PartEvents;

export type StatusEvent = EventOf<typeof statusEvents>;

export type StatusState = Readonly<{ status: JobStatus }>;

/** What else a status changes: one that is given up is not on the schedule, one that waits again was not rejected. */
type Changed = StatusState & Readonly<{ scheduledAt: null; rejectionReason: null }>;

export const statusState = {
  begins: ({ type }: JobOrigin): StatusState => ({ status: type === 'JobAdded' ? 'To quote' : 'Pending' }),
  evolve: {
    JobStatusChanged: ({ status }) => ({ status }),
    JobMarkedUnsuccessful: () => ({ status: 'Unsuccessful', scheduledAt: null }),
    JobStatusRestored: ({ status }) => ({ status, ...(status === 'Pending' && { rejectionReason: null }) }),
  } satisfies Evolve<typeof statusEvents, StatusState, Changed>,
  erased: {},
};
