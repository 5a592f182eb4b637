import { type } from 'arktype';
import { isWorkingStatus, type WorkingStatus } from '#core/job/statuses.ts';
import { jobNotesLength, notesTooLongMessage } from '#core/values/new-job.ts';
import type { JobChange } from './change-job.ts';
import { Instant, storedInstant } from './instant.ts';

/** The revision that the tradie looks at; without one the last change wins. */
const Base = type('number.integer >= 0');

/** The body of accept and reject: none, or the revision alone. */
export const JobAnswer = type({ '+': 'reject', 'revision?': Base }).or('null');

const Status = type('string').narrow(
  (text, ctx): text is WorkingStatus => isWorkingStatus(text) || ctx.reject({ message: 'Choose a status' }),
);
const Notes = type('string').narrow(
  (text, ctx) => text.length <= jobNotesLength || ctx.reject({ message: notesTooLongMessage }),
);

/** The body of PUT /jobs/{id}: any of the first three. `scheduledAt` is an instant with its offset; null clears it. */
export const JobChanges = type({
  '+': 'reject',
  'notes?': Notes,
  'scheduledAt?': Instant.or('null'),
  'status?': Status,
  'revision?': Base,
});
export type JobChanges = typeof JobChanges.infer;

/** The changes that a body asks for, in the order in which they are made: a status may decide whether there is a schedule. */
export function changesIn({ notes, status, scheduledAt }: JobChanges): JobChange[] {
  return [
    ...(notes === undefined ? [] : [{ type: 'ChangeJobNotes', notes } as const]),
    ...(status === undefined ? [] : [{ type: 'ChangeJobStatus', status } as const]),
    ...(scheduledAt === undefined
      ? []
      : [{ type: 'ScheduleJob', scheduledAt: storedInstant(scheduledAt) } as const]),
  ];
}
