import type { ChangeablePart } from '#core/job/event-fields.ts';
import type { NotesState } from '#core/job/notes/events.ts';
import type { ScheduleState } from '#core/job/schedule/events.ts';
import type { StatusState } from '#core/job/status/events.ts';

/** The values of the parts of a job that a tradie changes. */
export type PartValues = StatusState & ScheduleState & NotesState;

/** One change of a part, at a revision; `before` are the values that it found, `undone` the revision that it took back. */
export type PartChange = Readonly<{
  revision: number;
  before: PartValues;
  undone: number | null;
  /** The change of the same part before this one. */
  earlier: PartChange | null;
}>;

/** The newest change of each part. */
export type Changes = Readonly<Record<ChangeablePart, PartChange | null>>;

export type UndoState = Readonly<{ changes: Changes }>;

export const noChanges: Changes = { status: null, schedule: null, notes: null };

/** The changes after an event of a revision that sets the values of these parts; `job` is as the event found it. */
export function changesAfter(
  job: PartValues & UndoState,
  parts: readonly ChangeablePart[],
  { data, revision }: Readonly<{ data: object; revision: number }>,
): Changes {
  const { status, scheduledAt, notes, changes } = job;
  const undone = 'undone' in data ? (data.undone as number) : null;
  const change = { revision, before: { status, scheduledAt, notes }, undone };
  const changed = parts.map((part) => [part, { ...change, earlier: changes[part] }]);
  return changed.length === 0 ? changes : { ...changes, ...Object.fromEntries(changed) };
}
