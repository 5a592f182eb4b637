import { type Handlers, idsOf, type JobIds, type OfJob } from '#core/job/part.ts';
import { assertNotErased } from '#core/job/retention/decide.ts';
import type { RetentionState } from '#core/job/retention/events.ts';
import type { StatusState } from '#core/job/status/events.ts';
import { hidesContact } from '#core/job/status/statuses.ts';
import type { Command } from '#core/kernel/decider.ts';
import { ConflictError, IllegalTransitionError, NotFoundError } from '#core/kernel/errors.ts';
import type { PhotosEvent, PhotosState } from './events.ts';
import { photoLimits, tooManyPhotosMessage } from './photo-stages.ts';

/** The tradie photographs the work; a photo that is in the job stays as it is. */
export type AddJobPhoto = Command<'AddJobPhoto', Omit<PhotosEvent<'JobPhotoAdded'>['data'], 'addedAt'>>;
/** Another stage or caption of a photo. */
export type DescribeJobPhoto = Command<
  'DescribeJobPhoto',
  Omit<PhotosEvent<'JobPhotoDescribed'>['data'], 'changedAt'>
>;
/** A photo that is not to be in the job any more. */
export type RemoveJobPhoto = Command<'RemoveJobPhoto', OfJob & { photoId: string }>;

export const photoNotFoundMessage = 'Photo not found';

type Job = JobIds & PhotosState & StatusState & Pick<RetentionState, 'isErased'>;

export const photosHandlers = {
  AddJobPhoto(job, { at, data }) {
    assertWorkedOn(job);
    const { photoId, mime, bytes, sha256, stage, caption } = data;
    const known = job.photos[photoId];
    if (known && !known.isRemoved) return [];
    const there = Object.values(job.photos).filter(({ isRemoved }) => !isRemoved);
    if (there.length >= photoLimits.photos) throw new ConflictError(tooManyPhotosMessage);
    const photo = { photoId, mime, bytes, sha256, stage, caption, addedAt: at };
    return [{ type: 'JobPhotoAdded', data: { ...idsOf(job), ...photo } }];
  },

  DescribeJobPhoto(job, { at, data }) {
    assertWorkedOn(job);
    const { photoId, stage, caption } = data;
    const known = job.photos[photoId];
    if (!known || known.isRemoved) throw new NotFoundError(photoNotFoundMessage);
    if (known.stage === stage && known.caption === caption) return [];
    return [{ type: 'JobPhotoDescribed', data: { ...idsOf(job), photoId, stage, caption, changedAt: at } }];
  },

  RemoveJobPhoto(job, { at, data: { photoId } }) {
    assertNotErased(job);
    const known = job.photos[photoId];
    if (!known) throw new NotFoundError(photoNotFoundMessage);
    if (known.isRemoved) return [];
    return [{ type: 'JobPhotoRemoved', data: { ...idsOf(job), photoId, removedAt: at } }];
  },
} satisfies Handlers<AddJobPhoto | DescribeJobPhoto | RemoveJobPhoto, Job, PhotosEvent>;

function assertWorkedOn(job: Job): void {
  assertNotErased(job);
  if (hidesContact(job.status)) throw new IllegalTransitionError('Accept the job to add photos');
}
