import type { Command } from '#core/kernel/decider.ts';
import { type Change, type Handlers, idsOf, type JobIds } from '../part.ts';
import { assertNotErased } from '../retention/decide.ts';
import type { RetentionState } from '../retention/events.ts';
import { type NotesEvent, type NotesState, notesEvents, notesState } from './events.ts';

export type ChangeJobNotes = Command<'ChangeJobNotes', Change & { notes: string }>;

export const notes = {
  events: notesEvents,
  ...notesState,
  handle: {
    ChangeJobNotes(job, { at, data: { notes } }) {
      assertNotErased(job);
      if (notes === job.notes) return [];
      return [{ type: 'JobNotesChanged', data: { ...idsOf(job), notes, changedAt: at } }];
    },
  } satisfies Handlers<ChangeJobNotes, JobIds & NotesState & Pick<RetentionState, 'isErased'>, NotesEvent>,
};
