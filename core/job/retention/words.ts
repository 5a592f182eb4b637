import type { HistoryWords, NoValues, RecordWords, Values } from '#core/job/words.ts';
import { type KeepReason, keepReasonWords } from '#core/values/stored-details.ts';
import type { retentionEvents } from './events.ts';

export type RetentionEntries = Readonly<{
  'removal-asked': NoValues;
  'removal-refused': Values<null, KeepReason>;
  'dispute-opened': NoValues;
  'dispute-closed': NoValues;
  'erasure-planned': NoValues;
  'erasure-cancelled': NoValues;
  erased: NoValues;
}>;

export const retentionHistory: HistoryWords<RetentionEntries> = {
  'removal-asked': 'asked to remove their details',
  'removal-refused': 'answered that the details stay',
  'dispute-opened': 'noted a dispute: nothing is removed',
  'dispute-closed': 'closed the dispute',
  'erasure-planned': "began to remove the customer's details",
  'erasure-cancelled': "kept the customer's details after all",
  erased: "removed the customer's details",
};

export const retentionRecord: RecordWords<typeof retentionEvents> = {
  events: {
    CustomerRemovalAsked: 'The customer asked to remove their details',
    CustomerRemovalRefused: ({ reason, until }, clock) =>
      `The tradie keeps the customer's details until ${clock(String(until))}, because ${keepReasonWords[reason as KeepReason] ?? reason}`,
    JobDisputeOpened: ({ until }, clock) => `The tradie noted a dispute, until ${clock(String(until))}`,
    JobDisputeClosed: 'The dispute was closed',
    CustomerErasurePlanned: ({ dueAt }, clock) =>
      `The removal of the customer's details was planned for ${clock(String(dueAt))}`,
    CustomerErasureCancelled: "The customer's details stay after all",
    JobCustomerErased: "The customer's details were removed",
  },
  fields: { reason: 'Reason' },
};
