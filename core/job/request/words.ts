import { type HistoryWords, type NoValues, type RecordWords, scheduled, spaced } from '#core/job/words.ts';
import type { requestEvents } from './events.ts';

export type RequestEntries = Readonly<{
  /** `photos`: how many pictures came with it; absent where none did. */
  requested: NoValues & Readonly<{ photos?: number }>;
  ordered: NoValues;
  added: NoValues;
}>;

export const requestHistory: HistoryWords<RequestEntries> = {
  requested: (entry, { besideJob }) => [
    `${besideJob ? 'sent this from your job form' : 'asked for this job'}${withPhotos(entry)}`,
  ],
  ordered: 'sent this work order',
  added: 'added this job',
};

/** `, with 2 photos`; nothing where none came. */
export function withPhotos({ photos = 0 }: Pick<RequestEntries['requested'], 'photos'>): string {
  if (photos === 0) return '';
  return photos === 1 ? ', with 1 photo' : `, with ${photos} photos`;
}

export const requestRecord: RecordWords<typeof requestEvents> = {
  events: {
    JobRequested: ({ isUrgent, reachBy, unsentFiles }) =>
      `The customer sent the request${isUrgent === true ? ', as urgent' : ''}${reachBy ? `, to be reached by ${spaced(reachBy)}` : ''}${unsentFiles ? `, without ${unsentFiles} of the files` : ''}`,
    WorkOrderReceived: scheduled('The work order came in, scheduled for', 'The work order came in'),
    JobAdded: scheduled('The tradie added the job, scheduled for', 'The tradie added the job'),
    JobHeld: 'The request was held for review',
  },
  fields: {
    name: 'Name',
    email: 'Email',
    phone: 'Phone',
    location: 'Address',
    title: 'Title',
    description: 'Description',
    wishedTime: 'Wished time',
    answers: 'Answer',
    media: 'File',
  },
};
