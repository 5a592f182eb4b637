import type { HistoryWords, RecordWords, Values } from '#core/job/words.ts';
import type { notesEvents } from './events.ts';

export type NotesEntries = Readonly<{ notes: Values<string, string> }>;

export const notesHistory: HistoryWords<NotesEntries> = {
  notes: ({ from, to }) => [
    to === '' ? 'cleared the notes' : from === '' ? 'wrote notes' : 'changed the notes',
  ],
};

export const notesRecord: RecordWords<typeof notesEvents> = {
  events: {
    JobNotesChanged: 'The notes were changed',
    JobNotesRestored: 'A change was undone: the notes are as they were',
  },
  fields: { notes: 'Notes' },
};
