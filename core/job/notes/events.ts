import { customer, ofJob, type PartEvents, undo } from '#core/job/event-fields.ts';
import type { Evolve } from '#core/job/part.ts';
import type { JobOrigin } from '#core/job/request/events.ts';
import { type EventOf, event, instant } from '#core/kernel/event.ts';
import { ERASED } from '#core/values/stored-details.ts';

const ofNotes = { personal: { subject: customer, erased: { notes: ERASED } } } as const;

/** What the tradie notes about a job, which the business alone reads. */
export const notesEvents = {
  JobNotesChanged: {
    ...event({ ...ofJob, notes: 'string', changedAt: instant }, ofNotes),
    changes: ['notes'],
  },

  JobNotesRestored: {
    ...event({ ...ofJob, ...undo, notes: 'string' }, ofNotes),
    changes: ['notes'],
  },
} satisfies PartEvents;

export type NotesEvent = EventOf<typeof notesEvents>;

export type NotesState = Readonly<{ notes: string }>;

export const notesState = {
  begins: (origin: JobOrigin): NotesState => ({
    notes: origin.type === 'JobAdded' ? origin.data.notes : '',
  }),
  evolve: {
    JobNotesChanged: ({ notes }) => ({ notes }),
    JobNotesRestored: ({ notes }) => ({ notes }),
  } satisfies Evolve<typeof notesEvents, NotesState>,
  erased: { notes: ERASED },
};
