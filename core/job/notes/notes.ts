import {
  type Change,
  type ErasedEntries,
  type Handlers,
  type History,
  idsOf,
  type JobIds,
  unchanged,
} from '#core/job/part.ts';
import { assertNotErased } from '#core/job/retention/decide.ts';
import type { RetentionState } from '#core/job/retention/events.ts';
import type { Command } from '#core/kernel/decider.ts';
import { ERASED } from '#core/values/stored-details.ts';
import { severalLines } from '#core/values/text.ts';
import { type NotesEvent, type NotesState, notesEvents, notesState } from './events.ts';
import type { NotesEntries } from './words.ts';

export type ChangeJobNotes = Command<'ChangeJobNotes', Change & { notes: string }>;

export const notes = {
  events: notesEvents,
  ...notesState,
  handle: {
    ChangeJobNotes(job, { at, data: { notes } }) {
      assertNotErased(job);
      const written = severalLines(notes);
      // Notes that were stored with controls and come back as they are change nothing.
      if (notes === job.notes || written === job.notes) return [];
      return [{ type: 'JobNotesChanged', data: { ...idsOf(job), notes: written, changedAt: at } }];
    },
  } satisfies Handlers<ChangeJobNotes, JobIds & NotesState & Pick<RetentionState, 'isErased'>, NotesEvent>,
  view: {
    ...notesState,
    card: unchanged,
    page: ({ notes, erasedAt }: NotesState & Readonly<{ erasedAt: string | null }>): NotesState => ({
      notes: erasedAt === null ? notes : '',
    }),
  },
  history: {
    JobNotesChanged: (_, before, after) => [changed(before, after)],
    JobNotesRestored: (_, before, after) => [changed(before, after)],
  } satisfies History<typeof notesEvents, NotesState, NotesEntries>,
  erasedEntries: { notes: { from: ERASED, to: ERASED } } satisfies ErasedEntries<NotesEntries>,
};

function changed({ notes: from }: NotesState, { notes: to }: NotesState) {
  return { what: 'notes', from, to } as const;
}
