import type { JobEvent } from './events.ts';

/** What two people can change of a job without being in each other's way. */
export const jobParts = ['status', 'schedule', 'notes'] as const;
export type JobPart = (typeof jobParts)[number];

const parts: Record<JobEvent['type'], readonly JobPart[]> = {
  JobRequested: [],
  WorkOrderReceived: [],
  JobAdded: [],
  JobAccepted: ['status'],
  JobRejected: ['status'],
  JobStatusChanged: ['status'],
  JobMarkedUnsuccessful: ['status', 'schedule'],
  JobScheduled: ['schedule'],
  JobNotesChanged: ['notes'],
  JobStatusRestored: ['status'],
  JobScheduleRestored: ['schedule'],
  JobNotesRestored: ['notes'],
  CustomerMessageOpened: [],
  JobOpened: [],
  JobNoLongerNeeded: [],
  JobHeld: [],
};

/** The parts of a job that a fact changes. */
export function partsOf({ type }: Pick<JobEvent, 'type'>): readonly JobPart[] {
  return parts[type];
}
