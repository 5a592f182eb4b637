import { ConflictError } from '#core/kernel/errors.ts';
import type { UndoJobChange } from '../commands.ts';
import { type JobEvent, type JobPart, jobParts } from '../events.ts';
import { assertNotErased } from '../retention/decide.ts';
import { type ExistingJob, idsOf, type PartChange, type PartValues } from '../state.ts';
import { isWorkingStatus, type JobStatus } from '../status/statuses.ts';

export const nothingToUndoMessage = 'There is nothing to undo';
export const changedSinceMessage = 'This was changed again in the meantime, so it cannot be undone';

/**
 * Takes a change back by events of its own: each part goes back to what it was. A repeat does nothing. Refused when a part was
 * changed since, or when the events hold nothing that can be taken back: how the job came, a message, an undo.
 */
export function undoChange(job: ExistingJob, { at, data }: UndoJobChange): JobEvent[] {
  const { first, last, only } = data;
  if (jobParts.some((part) => changesFrom(job, part, last + 1).some(({ undone }) => undone === last)))
    return [];
  const touched = jobParts.flatMap((part) => {
    const within = changesFrom(job, part, first).filter(({ revision }) => revision <= last);
    const before = within.at(-1)?.before;
    const counts = (only ?? part) === part && within.some(({ undone }) => undone === null);
    return before && counts ? [{ part, before }] : [];
  });
  if (first < 1 || last > job.revision || touched.length === 0) throw new ConflictError(nothingToUndoMessage);
  if (touched.some(({ part }) => part === 'notes')) assertNotErased(job);
  const isChangedSince = (part: JobPart) => changesFrom(job, part, last + 1).length > 0;
  if (touched.some(({ part }) => isChangedSince(part))) throw new ConflictError(changedSinceMessage);
  // What was put on the schedule since must not stay there in a job that waits again, was turned down or given up.
  const status = touched.find(({ part }) => part === 'status')?.before.status;
  const leavesSchedule = status !== undefined && !isSchedulable(status) && isSchedulable(job.status);
  if (leavesSchedule && isChangedSince('schedule')) throw new ConflictError(changedSinceMessage);
  const undo = { ...idsOf(job), undone: last, restoredAt: at };
  return touched.flatMap(({ part, before }) => restored(job, part, before, undo));
}

function isSchedulable(status: JobStatus): boolean {
  return isWorkingStatus(status) && status !== 'Unsuccessful';
}

/** The changes of a part at that revision and after it, newest first. */
function changesFrom(job: ExistingJob, part: JobPart, revision: number): PartChange[] {
  const changes: PartChange[] = [];
  for (let change = job.changes[part]; change && change.revision >= revision; change = change.earlier)
    changes.push(change);
  return changes;
}

/** Nothing where the part has the value from before already. */
function restored(
  job: ExistingJob,
  part: JobPart,
  { status, scheduledAt, notes }: PartValues,
  undo: Readonly<{ jobId: string; businessId: string; undone: number; restoredAt: string }>,
): JobEvent[] {
  switch (part) {
    case 'status':
      return status === job.status ? [] : [{ type: 'JobStatusRestored', data: { ...undo, status } }];
    case 'schedule':
      return scheduledAt === job.scheduledAt
        ? []
        : [{ type: 'JobScheduleRestored', data: { ...undo, scheduledAt } }];
    case 'notes':
      return notes === job.notes ? [] : [{ type: 'JobNotesRestored', data: { ...undo, notes } }];
  }
}
