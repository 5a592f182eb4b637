import { ConflictError, IllegalTransitionError, NotFoundError } from '#core/kernel/errors.ts';
import type { AddJobPhoto, DescribeJobPhoto, RemoveJobPhoto } from '../commands.ts';
import type { JobEvent } from '../events.ts';
import { assertNotErased } from '../retention/decide.ts';
import { type ExistingJob, idsOf } from '../state.ts';
import { hidesContact } from '../status/statuses.ts';
import { photoLimits, tooManyPhotosMessage } from './photo-stages.ts';

export const photoNotFoundMessage = 'Photo not found';

/** A photo of the work that is to be in the job; one that is there stays as it is. */
export function addPhoto(job: ExistingJob, { at, data }: AddJobPhoto): JobEvent[] {
  assertWorkedOn(job);
  const { photoId, mime, bytes, sha256, stage, caption } = data;
  const known = job.photos[photoId];
  if (known && !known.isRemoved) return [];
  const there = Object.values(job.photos).filter(({ isRemoved }) => !isRemoved);
  if (there.length >= photoLimits.photos) throw new ConflictError(tooManyPhotosMessage);
  const photo = { photoId, mime, bytes, sha256, stage, caption, addedAt: at };
  return [{ type: 'JobPhotoAdded', data: { ...idsOf(job), ...photo } }];
}

/** Another stage or caption of a photo. Throws NotFoundError where the job has no such photo. */
export function describePhoto(job: ExistingJob, { at, data }: DescribeJobPhoto): JobEvent[] {
  assertWorkedOn(job);
  const { photoId, stage, caption } = data;
  const known = job.photos[photoId];
  if (!known || known.isRemoved) throw new NotFoundError(photoNotFoundMessage);
  if (known.stage === stage && known.caption === caption) return [];
  return [{ type: 'JobPhotoDescribed', data: { ...idsOf(job), photoId, stage, caption, changedAt: at } }];
}

/** A photo that is not to be in the job any more. Throws NotFoundError where it never was. */
export function removePhoto(job: ExistingJob, { at, data: { photoId } }: RemoveJobPhoto): JobEvent[] {
  assertNotErased(job);
  const known = job.photos[photoId];
  if (!known) throw new NotFoundError(photoNotFoundMessage);
  if (known.isRemoved) return [];
  return [{ type: 'JobPhotoRemoved', data: { ...idsOf(job), photoId, removedAt: at } }];
}

function assertWorkedOn(job: ExistingJob): void {
  assertNotErased(job);
  if (hidesContact(job.status)) throw new IllegalTransitionError('Accept the job to add photos');
}
