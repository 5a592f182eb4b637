import { type } from 'arktype';
import { customer, ofJob, type PartEvents } from '#core/job/event-fields.ts';
import type { Evolve } from '#core/job/part.ts';
import { type EventOf, event, id, instant } from '#core/kernel/event.ts';
import { ERASED } from '#core/values/stored-details.ts';
import { type PhotoStage, photoStages } from './photo-stages.ts';

const described = { photoId: id, stage: type.enumerated(...photoStages), caption: 'string' } as const;
const ofCaption = { personal: { subject: customer, erased: { caption: ERASED } } } as const;

/** The photos that the tradie takes of the work. */
export const photosEvents = {
  /** The tradie photographed the work; `sha256` is of the bytes as they are stored, in base64. */
  JobPhotoAdded: {
    ...event(
      { ...ofJob, ...described, mime: 'string', bytes: 'number', sha256: 'string', addedAt: instant },
      ofCaption,
    ),
    changes: [],
  },

  JobPhotoDescribed: { ...event({ ...ofJob, ...described, changedAt: instant }, ofCaption), changes: [] },

  /** Its bytes go a day later. */
  JobPhotoRemoved: { ...event({ ...ofJob, photoId: id, removedAt: instant }), changes: [] },
} satisfies PartEvents;

export type PhotosEvent<T extends keyof typeof photosEvents = keyof typeof photosEvents> = EventOf<
  typeof photosEvents,
  T
>;

/** A photo that the tradie took of the work. `sha256` is of its bytes as they are stored, in base64; `addedAt` an instant. */
export type WorkPhoto = Readonly<{
  photoId: string;
  mime: string;
  bytes: number;
  sha256: string;
  stage: PhotoStage;
  caption: string;
  addedAt: string;
}>;

/** The photos that decisions go by, by their ids; removed ones too: they can be put back. */
export type KnownPhotos = Readonly<Record<string, WorkPhoto & Readonly<{ isRemoved: boolean }>>>;

export type PhotosState = Readonly<{ photos: KnownPhotos }>;

export const photosState = {
  begins: (): PhotosState => ({ photos: {} }),
  evolve: {
    JobPhotoAdded({ jobId: _, businessId: __, ...photo }, { photos }) {
      return { photos: { ...photos, [photo.photoId]: { ...photo, isRemoved: false } } };
    },
    JobPhotoDescribed: ({ photoId, stage, caption }, job) => changed(job, photoId, { stage, caption }),
    JobPhotoRemoved: ({ photoId }, job) => changed(job, photoId, { isRemoved: true }),
  } satisfies Evolve<typeof photosEvents, PhotosState>,
  erased: { photos: {} },
};

function changed(
  { photos }: PhotosState,
  photoId: string,
  change: Partial<KnownPhotos[string]>,
): Partial<PhotosState> {
  const known = photos[photoId];
  return known ? { photos: { ...photos, [photoId]: { ...known, ...change } } } : {};
}
