import type { HistoryWords, NoValues, RecordWords, Values } from '#core/job/words.ts';
import type { statusEvents } from './events.ts';

export type StatusEntries = Readonly<{
  status: Values<string, string>;
  /** An acceptance was taken back, and the contact was seen until then. */
  'contact-seen': NoValues;
}>;

export const statusHistory: HistoryWords<StatusEntries> = {
  status: ({ from, to }, { besideJob }) => [
    besideJob ? `changed ${from} to` : `changed the status from ${from} to`,
    to,
  ],
  'contact-seen': [
    'saw the contact details while the job was accepted',
    'saw the contact details while it was accepted',
  ],
};

export const statusRecord: RecordWords<typeof statusEvents> = {
  events: {
    JobStatusChanged: ({ status }) => `The status was changed to ${status}`,
    JobMarkedUnsuccessful: 'The status was changed to Unsuccessful',
    JobStatusRestored: ({ status }) => `A change was undone: the status is ${status} again`,
  },
  fields: {},
};
