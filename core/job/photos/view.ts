import { isPictureType } from '#core/values/uploads.ts';
import type { JobEvent } from '../job.ts';
import type { Media } from '../request/events.ts';
import type { WorkPhoto } from './events.ts';

/** A file of a job: the customer's came with the job; one with `work` is the tradie's. */
export type JobFile = Media & Readonly<{ work?: Pick<WorkPhoto, 'stage' | 'caption' | 'addedAt'> }>;

/** A photo of the work as its tradie sees it; the links are good for a while. */
export type WorkPhotoView = Readonly<{ id: string; url: string; thumb: string }> &
  Pick<WorkPhoto, 'stage' | 'caption' | 'addedAt'>;

/** How many of a job's files are pictures. */
export function picturesIn(files: readonly JobFile[]): number {
  return files.filter(({ mime }) => isPictureType(mime)).length;
}

/** The id of the picture that stands for a job: the first of its files that is one; null without any. */
export function coverOf(files: readonly JobFile[]): string | null {
  return files.find(({ mime }) => isPictureType(mime))?.id ?? null;
}

/** The files of a job after one more event. */
export function filesAfter(files: readonly JobFile[], event: JobEvent): readonly JobFile[] {
  switch (event.type) {
    case 'JobPhotoAdded': {
      const { photoId: id, mime, bytes, stage, caption, addedAt } = event.data;
      const photo = {
        id,
        name: `${stage}.${mime.split('/')[1]}`,
        mime,
        bytes,
        work: { stage, caption, addedAt },
      };
      return [...files.filter((file) => file.id !== id), photo];
    }
    case 'JobPhotoDescribed': {
      const { photoId, stage, caption } = event.data;
      return files.map((file) =>
        file.id === photoId && file.work ? { ...file, work: { ...file.work, stage, caption } } : file,
      );
    }
    case 'JobPhotoRemoved':
      return files.filter(({ id, work }) => id !== event.data.photoId || !work);
    default:
      return files;
  }
}
