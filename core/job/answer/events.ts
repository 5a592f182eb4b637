import { type } from 'arktype';
import { customer, ofJob, type PartEvents } from '#core/job/event-fields.ts';
import type { Evolve } from '#core/job/part.ts';
import type { StatusState } from '#core/job/status/events.ts';
import { type EventOf, event, instant } from '#core/kernel/event.ts';
import { ERASED } from '#core/values/stored-details.ts';
import { type RejectionReason, rejectionReasons } from './rejection-reasons.ts';

/** What the tradie answers to a job that waits. */
export const answerEvents = {
  /** The tradie looked at a job that waits for an answer, for the first time. */
  JobOpened: { ...event({ ...ofJob, openedAt: instant }), changes: [] },

  JobAccepted: { ...event({ ...ofJob, acceptedAt: instant }), changes: ['status'] },

  JobRejected: { ...event({ ...ofJob, rejectedAt: instant }), changes: ['status'] },

  /** Why the tradie rejected it: personal, so that no record for the customer shows it. */
  JobRejectionExplained: {
    ...event(
      { ...ofJob, reason: type.enumerated(...rejectionReasons, ERASED), explainedAt: instant },
      { personal: { subject: customer, erased: { reason: ERASED } } },
    ),
    changes: [],
  },
} satisfies PartEvents;

export type AnswerEvent = EventOf<typeof answerEvents>;

export type AnswerState = Readonly<{
  /** Looked at while it waited, or answered; an undo takes neither back. */
  isOpened: boolean;
  /** Why it was rejected; null where that is not said, and while it waits. An undone acceptance finds it again. */
  rejectionReason: RejectionReason | typeof ERASED | null;
}>;

export const answerState = {
  begins: (): AnswerState => ({ isOpened: false, rejectionReason: null }),
  evolve: {
    JobOpened: () => ({ isOpened: true }),
    JobAccepted: () => ({ status: 'To quote', isOpened: true }),
    JobRejected: () => ({ status: 'Rejected', isOpened: true }),
    JobRejectionExplained: ({ reason }) => ({ rejectionReason: reason }),
  } satisfies Evolve<typeof answerEvents, AnswerState & StatusState>,
  erased: {},
};
