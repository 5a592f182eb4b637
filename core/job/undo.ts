import type { Decider } from '#core/kernel/decider.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { jobDeciderBasedOn, type TrackedJob } from './based-on.ts';
import type { UndoJobChange } from './commands.ts';
import { ownJob } from './decider.ts';
import { isJobEvent, type JobEvent, type JobPart, jobParts, partsOf } from './events.ts';
import type { JobState } from './state.ts';
import { hidesContact } from './statuses.ts';
import type { JobDetails } from './view.ts';

export const nothingToUndoMessage = 'There is nothing to undo';
export const changedSinceMessage = 'This was changed again in the meantime, so it cannot be undone';

/** A job, as it was before the change in question, and what that change touched. */
export type UndoableJob = Readonly<{
  tracked: TrackedJob;
  before: JobState;
  touched: readonly JobPart[];
  /** The revisions of the changes that were taken back already. */
  undone: readonly number[];
}>;

const tracker = jobDeciderBasedOn(undefined);

export type UndoRange = Readonly<{
  first: number;
  last: number;
  /** What is taken back of the events in between; all that they changed unless told. */
  parts?: readonly JobPart[];
}>;

/**
 * Takes back the change that was made in the events from `first` to `last`, by facts of its own: each part goes back to
 * what it was. A repeat does nothing. Throws `ConflictError` when a part was changed since, or when there is
 * nothing in there that can be taken back: how a job came, a message, an undo.
 */
export function undoDecider(range: UndoRange): Decider<UndoableJob, UndoJobChange, JobEvent> {
  const { first, last, parts = jobParts } = range;
  const touchedBy = (event: JobEvent) => partsOf(event).filter((part) => parts.includes(part));
  return {
    initialState: { tracked: tracker.initialState, before: null, touched: [], undone: [] },
    owns: isJobEvent,
    decide(command, { tracked, before, touched, undone }) {
      const job = ownJob(command, tracked.job);
      if (undone.includes(last)) return [];
      if (before === null || touched.length === 0) throw new ConflictError(nothingToUndoMessage);
      const since = (part: JobPart) => (tracked.changedAt[part] ?? 0) > last;
      // A job that waits for an answer again must not stay where it was put on the schedule since.
      const unanswers =
        touched.includes('status') && hidesContact(before.status) && !hidesContact(job.status);
      if (touched.some(since) || (unanswers && since('schedule')))
        throw new ConflictError(changedSinceMessage);
      return restored(job, before, touched, { undone: last, restoredAt: command.at });
    },
    evolve({ tracked, before, touched, undone }, event) {
      const next = tracker.evolve(tracked, event);
      const revision = next.job?.revision ?? -1;
      const within = revision >= first && revision <= last;
      return {
        tracked: next,
        before: revision === first ? tracked.job : before,
        touched: within && !isUndo(event) ? [...touched, ...touchedBy(event)] : touched,
        undone: isUndo(event) ? [...undone, event.data.undone] : undone,
      };
    },
  };
}

function isUndo(event: JobEvent): event is Extract<JobEvent, { data: { undone: number } }> {
  return 'undone' in event.data;
}

/** Only what was touched and still differs: the rest may be somebody else's since. */
function restored(
  { id: jobId, businessId, ...now }: JobDetails,
  { status, scheduledAt, notes }: JobDetails,
  touched: readonly JobPart[],
  undo: { undone: number; restoredAt: string },
): JobEvent[] {
  const same = { jobId, businessId, ...undo };
  const facts: Record<JobPart, JobEvent | null> = {
    status: status === now.status ? null : { type: 'JobStatusRestored', data: { ...same, status } },
    schedule:
      scheduledAt === now.scheduledAt
        ? null
        : { type: 'JobScheduleRestored', data: { ...same, scheduledAt } },
    notes: notes === now.notes ? null : { type: 'JobNotesRestored', data: { ...same, notes } },
  };
  return jobParts.filter((part) => touched.includes(part)).flatMap((part) => facts[part] ?? []);
}
