import type { HistoryWords, NoValues, RecordWords, Values } from '#core/job/words.ts';
import type { photosEvents } from './events.ts';
import { type PhotoStage, photoStageWords } from './photo-stages.ts';

export type PhotosEntries = Readonly<{
  'photo-added': Values<null, PhotoStage>;
  'photo-described': NoValues;
  'photo-removed': NoValues;
}>;

export const photosHistory: HistoryWords<PhotosEntries> = {
  'photo-added': ({ to }) => [`added ${photoStageWords[to]}`],
  'photo-described': 'changed what a photo shows',
  'photo-removed': 'removed a photo',
};

export const photosRecord: RecordWords<typeof photosEvents> = {
  events: {
    JobPhotoAdded: ({ stage }) => `The tradie added a photo (${stage})`,
    JobPhotoDescribed: ({ stage }) => `The tradie changed what a photo shows (${stage})`,
    JobPhotoRemoved: 'The tradie removed a photo',
  },
  fields: { caption: 'Caption' },
};
