import { type HistoryWords, type NoValues, type RecordWords, spaced, type Values } from '#core/job/words.ts';
import { type MessageKind, messageLabels } from './customer-messages.ts';
import type { customerEvents } from './events.ts';

export type CustomerEntries = Readonly<{
  message: Values<null, MessageKind>;
  'not-needed': NoValues;
  /** The correction in full. */
  'correction-asked': Values<null, string>;
  'correction-agreed': Values<null, string>;
  'correction-refused': Values<null, string>;
  'details-corrected': NoValues;
}>;

export const customerHistory: HistoryWords<CustomerEntries> = {
  message: ({ to }) => ['opened a message:', messageLabels[to]],
  'not-needed': 'said that this job is no longer needed',
  'correction-asked': ({ to }) => ['asked for a correction:', to],
  'correction-agreed': ({ to }) => ['agreed to the correction:', to],
  'correction-refused': ({ to }, { besideJob }) => [
    `did not agree to the correction, which stays as ${besideJob ? 'their' : "the customer's"} statement:`,
    to,
  ],
  'details-corrected': "corrected the customer's details",
};

/** Whether an entry holds what the customer wrote by the link of their receipt, which may hold contact. */
export function isCorrection<Entry extends Readonly<{ what: string }>>(
  entry: Entry,
): entry is Extract<Entry, { what: `correction-${string}` }> {
  return entry.what.startsWith('correction-');
}

export const customerRecord: RecordWords<typeof customerEvents> = {
  events: {
    CustomerMessageOpened: ({ kind }) => `The tradie opened a message to the customer: ${spaced(kind)}`,
    JobNoLongerNeeded: 'The customer said that the job is no longer needed',
    CustomerCorrectionAsked: 'The customer asked for a correction',
    CustomerCorrectionAnswered: ({ answer }) => `The tradie answered the correction: ${spaced(answer)}`,
    CustomerDetailsCorrected: "The tradie corrected the customer's details",
  },
  fields: { text: 'Correction' },
};
