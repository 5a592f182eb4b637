import { type Evolve, type History, unchanged } from '#core/job/part.ts';
import type { ScheduleState } from '#core/job/schedule/events.ts';
import type { ScheduleEntries } from '#core/job/schedule/words.ts';
import { type StatusState, type statusEvents, statusState } from './events.ts';
import { hidesAgain } from './statuses.ts';
import type { StatusEntries } from './words.ts';

export const statusView = {
  begins: statusState.begins,
  evolve: {
    JobStatusChanged: ({ status }) => ({ status }),
    JobMarkedUnsuccessful: () => ({ status: 'Unsuccessful', scheduledAt: null }),
    JobStatusRestored: ({ status }) => ({ status }),
  } satisfies Evolve<typeof statusEvents, StatusState & ScheduleState>,
  erased: {},
  card: ({ status }: StatusState): StatusState => ({ status }),
  page: unchanged,
};

/** One that is given up leaves the schedule; who takes an acceptance back has seen the contact. */
export const statusEntries = {
  JobStatusChanged: (_, before, after) => [moved(before, after)],
  JobMarkedUnsuccessful: (_, before, after) => [
    moved(before, after),
    ...(before.scheduledAt === null
      ? []
      : [{ what: 'schedule', from: before.scheduledAt, to: null } as const]),
  ],
  JobStatusRestored: (_, before, after) => [
    ...(hidesAgain(before, after) ? [{ what: 'contact-seen', from: null, to: null } as const] : []),
    moved(before, after),
  ],
} satisfies History<typeof statusEvents, StatusState & ScheduleState, StatusEntries & ScheduleEntries>;

function moved({ status: from }: StatusState, { status: to }: StatusState) {
  return { what: 'status', from, to } as const;
}
