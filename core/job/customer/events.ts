import { type } from 'arktype';
import { customer, ofJob, type PartEvents } from '#core/job/event-fields.ts';
import { type Evolve, unchanged } from '#core/job/part.ts';
import { contact, erasedContact, type JobOrigin, location } from '#core/job/request/events.ts';
import { type EventOf, event, instant } from '#core/kernel/event.ts';
import { type CorrectionAnswer, correctionAnswers, ERASED } from '#core/values/stored-details.ts';
import { messageKinds } from './customer-messages.ts';

/** What goes between the business and the customer of a job. */
export const customerEvents = {
  /** The phone's messages were opened with a text filled in. Whether it was sent, the product cannot know. */
  CustomerMessageOpened: {
    ...event({ ...ofJob, kind: type.enumerated(...messageKinds), openedAt: instant }),
    changes: [],
  },

  /** The customer said that the job need not be done any more. What becomes of it, the tradie decides. */
  JobNoLongerNeeded: { ...event({ ...ofJob, saidAt: instant }), changes: [] },

  /** The customer asked by the link of the receipt for something to be corrected, in `text`. */
  CustomerCorrectionAsked: {
    ...event(
      { ...ofJob, text: 'string', askedAt: instant },
      { personal: { subject: customer, erased: { text: ERASED } } },
    ),
    changes: [],
  },

  /** What the business says to a correction, by the revision of `CustomerCorrectionAsked`; one that is refused stays as the customer's statement. */
  CustomerCorrectionAnswered: {
    ...event({
      ...ofJob,
      asked: 'number.integer >= 0',
      answer: type.enumerated(...correctionAnswers),
      answeredAt: instant,
    }),
    changes: [],
  },

  /** The business changed how the customer is called, reached and found, by the correction of the revision `asked`. */
  CustomerDetailsCorrected: {
    ...event(
      { ...ofJob, ...contact, location, asked: 'number.integer >= 0', correctedAt: instant },
      { personal: { subject: customer, erased: erasedContact } },
    ),
    changes: [],
  },
} satisfies PartEvents;

export type CustomerEvent = EventOf<typeof customerEvents>;

/** A correction in the customer's words, the revision at which it was asked for, and the business's answer; null before one. */
type Correction = Readonly<{ text: string; revision: number; answer: CorrectionAnswer | null }>;

export type CustomerState = Readonly<{
  /** How the customer is called, reached and found: with what the job came, and what was corrected since. */
  contact: Readonly<{ name: string; email: string; phone: string; address: string }>;
  isNoLongerNeeded: boolean;
  /** The corrections that the customer asked for. */
  corrections: readonly Correction[];
}>;

export const customerState = {
  begins: ({ data: { name, email, phone, location } }: JobOrigin): CustomerState => ({
    contact: { name, email, phone, address: location.address },
    isNoLongerNeeded: false,
    corrections: [],
  }),
  evolve: {
    CustomerMessageOpened: unchanged,
    JobNoLongerNeeded: () => ({ isNoLongerNeeded: true }),
    CustomerCorrectionAsked: ({ text }, { corrections }, revision) => ({
      corrections: [...corrections, { text, revision, answer: null }],
    }),
    CustomerCorrectionAnswered: ({ asked, answer }, { corrections }) => ({
      corrections: corrections.map((one) => (one.revision === asked ? { ...one, answer } : one)),
    }),
    CustomerDetailsCorrected: ({ name, email, phone, location: { address } }) => ({
      contact: { name, email, phone, address },
    }),
  } satisfies Evolve<typeof customerEvents, CustomerState>,
  erased: {
    contact: { name: ERASED, email: ERASED, phone: ERASED, address: ERASED },
    corrections: [],
  },
};
