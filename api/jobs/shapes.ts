import { type } from 'arktype';
import { isWorkingStatus, type WorkingStatus } from '#core/job/statuses.ts';
import type { Wish } from './change-job.ts';

/** The most characters of a job's notes. */
const NOTES = 5_000;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The revision that the tradie looks at; without one the last change wins. */
const Base = type('number.integer >= 0');

/** The body of accept and reject: none, or the revision alone. */
export const JobAnswer = type({ '+': 'reject', 'revision?': Base }).or('null');

const Status = type('string').narrow(
  (text, ctx): text is WorkingStatus => isWorkingStatus(text) || ctx.reject({ message: 'Choose a status' }),
);
const Instant = type('string <= 40').narrow(
  (text, ctx) => isInstant(text) || ctx.reject({ message: 'Choose a day and a time' }),
);
const Notes = type('string').narrow(
  (text, ctx) => text.length <= NOTES || ctx.reject({ message: `Use at most ${NOTES} characters` }),
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

/** A day that exists (2026-02-30 does not), with a time and an offset. */
function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || Number.isNaN(Date.parse(text))) return false;
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** What a body asks for, in the order in which it is granted: a status may decide whether there is a schedule. */
export function wishesOf({ notes, status, scheduledAt }: JobChanges): Wish[] {
  return [
    ...(notes === undefined ? [] : [{ type: 'ChangeJobNotes', notes } as const]),
    ...(status === undefined ? [] : [{ type: 'ChangeJobStatus', status } as const]),
    ...(scheduledAt === undefined
      ? []
      : [{ type: 'ScheduleJob', scheduledAt: instant(scheduledAt) } as const]),
  ];
}

const instant = (text: string | null) => (text === null ? null : new Date(text).toISOString());
