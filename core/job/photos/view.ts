import { type Evolve, type History, plainEntry } from '#core/job/part.ts';
import type { JobOrigin } from '#core/job/request/events.ts';
import type { ViewSurroundings } from '#core/job/surroundings.ts';
import { shownText, type Withholding } from '#core/job/withheld-fields.ts';
import { isPictureType } from '#core/values/uploads.ts';
import type { photosEvents, WorkPhoto } from './events.ts';
import type { JobFile } from './files.ts';
import type { PhotosEntries } from './words.ts';

/** `media`: the customer's files, and then the photos of the work. */
export type PhotosDetails = Readonly<{ media: readonly JobFile[] }>;

/** A photo of the work as its tradie sees it; the links are good for a while. */
export type WorkPhotoView = Readonly<{ id: string; url: string; thumb: string }> &
  Pick<WorkPhoto, 'stage' | 'caption' | 'addedAt'>;

export type PhotosCard = Readonly<{
  /** How many pictures it has, of the customer's and of the work. */
  pictures: number;
  /** The small picture of the first of them; absent without one. */
  thumb?: string;
}>;

export type PhotosPage = Readonly<{
  /** `thumb`: a small picture of it, at most 25 kB; null for what is no picture. */
  media: readonly { url: string; thumb: string | null; name: string; mime: string }[];
  /** The tradie's of the work, in the order in which they were added. */
  photos: readonly WorkPhotoView[];
}>;

export const photosView = {
  begins: ({ data }: JobOrigin): PhotosDetails => ({ media: 'media' in data ? data.media : [] }),
  evolve: {
    JobPhotoAdded({ photoId: id, mime, bytes, stage, caption, addedAt }, { media }) {
      const name = `${stage}.${mime.split('/')[1]}`;
      const photo = { id, name, mime, bytes, work: { stage, caption, addedAt } };
      return { media: [...media.filter((file) => file.id !== id), photo] };
    },
    JobPhotoDescribed: ({ photoId, stage, caption }, { media }) => ({
      media: media.map((file) =>
        file.id === photoId && file.work ? { ...file, work: { ...file.work, stage, caption } } : file,
      ),
    }),
    JobPhotoRemoved: ({ photoId }, { media }) => ({
      media: media.filter(({ id, work }) => id !== photoId || !work),
    }),
  } satisfies Evolve<typeof photosEvents, PhotosDetails>,
  erased: { media: [] },

  /** Without `thumbnailUrl` it has no picture. `cover` is the id of the one that stands for the job. */
  card(
    { pictures, cover }: Readonly<{ pictures: number; cover: string | null }>,
    thumbnailUrl?: ViewSurroundings['thumbnailUrl'],
  ): PhotosCard {
    return { pictures, ...(thumbnailUrl && cover !== null && { thumb: thumbnailUrl({ id: cover }) }) };
  },

  page(
    details: PhotosDetails & Withholding,
    { mediaUrl, thumbnailUrl }: Pick<ViewSurroundings, 'mediaUrl' | 'thumbnailUrl'>,
  ): PhotosPage {
    return {
      media: details.media.flatMap((file) => {
        if (file.work) return [];
        const thumb = isPictureType(file.mime) ? thumbnailUrl(file) : null;
        return [{ url: mediaUrl(file), thumb, name: shownText(details, file.name), mime: file.mime }];
      }),
      photos: details.media.flatMap((file) => {
        const { id, work } = file;
        return work ? [{ id, url: mediaUrl(file), thumb: thumbnailUrl(file), ...work }] : [];
      }),
    };
  },
};

export const photosEntries = {
  JobPhotoAdded: ({ stage }) => [{ what: 'photo-added', from: null, to: stage }],
  JobPhotoDescribed: plainEntry('photo-described'),
  JobPhotoRemoved: plainEntry('photo-removed'),
} satisfies History<typeof photosEvents, object, PhotosEntries>;
