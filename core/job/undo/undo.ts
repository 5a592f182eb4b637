import { type ChangeablePart, changeableParts } from '#core/job/event-fields.ts';
import type { NotesEvent } from '#core/job/notes/events.ts';
import { type Handlers, idsOf, type JobIds, type OfJob, unseen } from '#core/job/part.ts';
import { assertNotErased } from '#core/job/retention/decide.ts';
import type { RetentionState } from '#core/job/retention/events.ts';
import type { ScheduleEvent } from '#core/job/schedule/events.ts';
import type { StatusEvent } from '#core/job/status/events.ts';
import { isWorkingStatus, type JobStatus } from '#core/job/status/statuses.ts';
import type { Command } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { noChanges, type PartChange, type PartValues, type UndoState } from './changes.ts';

/**
 * Takes back what was done in the events from revision `first` to `last`: all that they changed, or the notes only. What others
 * changed in between stays. Each part goes back by an event of its own. A repeat does nothing. Refused when a part was changed since,
 * or when the events hold nothing that can be taken back: how the job came, a message, an undo.
 */
export type UndoJobChange = Command<
  'UndoJobChange',
  OfJob & { first: number; last: number; only?: 'notes' | undefined }
>;

export const nothingToUndoMessage = 'There is nothing to undo';
export const changedSinceMessage = 'This was changed again in the meantime, so it cannot be undone';

type Job = JobIds &
  PartValues &
  UndoState &
  Pick<RetentionState, 'isErased'> &
  Readonly<{ revision: number }>;
type Restored = StatusEvent | ScheduleEvent | NotesEvent;

export const undo = {
  events: {},
  begins: (): UndoState => ({ changes: noChanges }),
  evolve: {},
  erased: {},
  handle: {
    UndoJobChange(job, { at, data: { first, last, only } }) {
      const isTakenBack = (part: ChangeablePart) =>
        changesFrom(job, part, last + 1).some(({ undone }) => undone === last);
      if (changeableParts.some(isTakenBack)) return [];
      const touched = changeableParts.flatMap((part) => {
        const within = changesFrom(job, part, first).filter(({ revision }) => revision <= last);
        const before = within.at(-1)?.before;
        const counts = (only ?? part) === part && within.some(({ undone }) => undone === null);
        return before && counts ? [{ part, before }] : [];
      });
      if (first < 1 || last > job.revision || touched.length === 0)
        throw new ConflictError(nothingToUndoMessage);
      if (touched.some(({ part }) => part === 'notes')) assertNotErased(job);
      const isChangedSince = (part: ChangeablePart) => changesFrom(job, part, last + 1).length > 0;
      if (touched.some(({ part }) => isChangedSince(part))) throw new ConflictError(changedSinceMessage);
      // What was put on the schedule since must not stay there in a job that waits again, was turned down or given up.
      const status = touched.find(({ part }) => part === 'status')?.before.status;
      const leavesSchedule = status !== undefined && !isSchedulable(status) && isSchedulable(job.status);
      if (leavesSchedule && isChangedSince('schedule')) throw new ConflictError(changedSinceMessage);
      const taken = { ...idsOf(job), undone: last, restoredAt: at };
      return touched.flatMap(({ part, before }) => restored(job, part, before, taken));
    },
  } satisfies Handlers<UndoJobChange, Job, Restored>,
  view: unseen,
  history: {},
  erasedEntries: {},
};

function isSchedulable(status: JobStatus): boolean {
  return isWorkingStatus(status) && status !== 'Unsuccessful';
}

/** The changes of a part at that revision and after it, newest first. */
function changesFrom(job: Job, part: ChangeablePart, revision: number): PartChange[] {
  const changes: PartChange[] = [];
  for (let change = job.changes[part]; change && change.revision >= revision; change = change.earlier)
    changes.push(change);
  return changes;
}

/** Nothing where the part has the value from before already. */
function restored(
  job: Job,
  part: ChangeablePart,
  { status, scheduledAt, notes }: PartValues,
  taken: OfJob & Readonly<{ undone: number; restoredAt: string }>,
): Restored[] {
  switch (part) {
    case 'status':
      return status === job.status ? [] : [{ type: 'JobStatusRestored', data: { ...taken, status } }];
    case 'schedule':
      return scheduledAt === job.scheduledAt
        ? []
        : [{ type: 'JobScheduleRestored', data: { ...taken, scheduledAt } }];
    case 'notes':
      return notes === job.notes ? [] : [{ type: 'JobNotesRestored', data: { ...taken, notes } }];
  }
}
