import type { HistoryWords, NoValues, RecordWords } from '#core/job/words.ts';
import type { recordEvents } from './events.ts';

export type RecordEntries = Readonly<{ record: NoValues }>;

export const recordHistory: HistoryWords<RecordEntries> = { record: 'made a record of the job' };

export const recordRecord: RecordWords<typeof recordEvents> = {
  events: {
    JobRecordIssued: ({ audience, by }) => `A record was made for the ${audience}, by the ${by}`,
  },
  fields: {},
};
