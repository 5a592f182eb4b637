import { instantWords } from '#core/values/time.ts';
import { actionWords, type Entries, type EntryContent } from './history-words.ts';
import { type ExistingJob, evolveJob, type JobEvent, type JobState, type jobEvents, parts } from './job.ts';
import type { ErasedEntries, History } from './part.ts';
import { isOrigin } from './request/events.ts';
import { together } from './together.ts';

/** An event of a job and who caused it; `event` is absent where it cannot be read. */
export type CausedEvent = Readonly<{
  revision: number;
  at: string;
  actor: string;
  event?: JobEvent | undefined;
}>;

/**
 * One thing that happened to a job: statuses by name, times as instants, notes in full. No email or phone: a history is
 * shown whatever the status; only what the customer wrote in a correction may hold some, and `api/jobs/history.ts` hides it. `undo` says that it took an earlier change back. `actor` is as in the event's metadata.
 */
export type JobHistoryEntry = EntryContent &
  Readonly<{ revision: number; at: string; actor: string; undo: boolean }>;

const history: History<typeof jobEvents, ExistingJob, Entries> = together(parts, 'history');
const erasedEntries: ErasedEntries<Entries> = together(parts, 'erasedEntries');

/**
 * What happened to a job, newest first; of one whose customer was erased without the texts, also while the key that opens
 * them is still there. An event that changed two things has two entries.
 */
export function historyEntries(events: readonly CausedEvent[]): JobHistoryEntry[] {
  let state: JobState = null;
  const entries: JobHistoryEntry[] = [];
  const isErased = events.some(({ event }) => event?.type === 'JobCustomerErased');
  for (const { event, revision, at, actor } of events) {
    const next: JobState = event ? evolveJob(state, event) : state;
    const isUndo = event !== undefined && 'undone' in event.data;
    const contents = event
      ? contentsOf(event, state, next)
      : [{ what: 'unreadable', from: null, to: null } as const];
    for (const one of contents) {
      const shown = isErased ? { ...one, ...erasedEntries[one.what] } : one;
      const entry = { ...shown, revision, at, actor, undo: isUndo && one.what !== 'contact-seen' };
      entries.push(entry as JobHistoryEntry);
    }
    state = next;
  }
  return entries.reverse();
}

/** How a job comes is an entry only at its beginning, and nothing else is one before it. */
function contentsOf(event: JobEvent, before: JobState, after: JobState): readonly EntryContent[] {
  if (after === null || isOrigin(event) !== (before === null)) return [];
  const entriesOf: (data: never, before: ExistingJob, after: ExistingJob) => readonly EntryContent[] =
    history[event.type];
  return entriesOf(event.data as never, before ?? after, after);
}

/** An entry as a sentence, `who` in front: "Dave moved the job from … to …". Times are those of the zone. */
export function entryWords(entry: JobHistoryEntry, who: string, timeZone: string): string {
  const action = actionWords(entry, { besideJob: false, when: (at) => instantWords(at, timeZone) });
  return `${who} ${entry.undo ? 'undid a change: ' : ''}${action.join(' ')}`;
}
