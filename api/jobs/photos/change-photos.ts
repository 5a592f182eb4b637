import type { Deps } from '#api/deps.ts';
import type { Turn } from '#api/http/gate.ts';
import type { Session } from '#api/http/request-context.ts';
import { type ChangedJob, changeJob, type JobChange } from '#api/jobs/change-job.ts';
import { loadJob } from '#api/jobs/load-job.ts';
import { attachPhoto, letPhotoGo, type PhotoOfJob, storePhoto } from '#api/jobs/stored-photos.ts';
import { jobDecider } from '#core/job/job.ts';
import { photoNotFoundMessage } from '#core/job/photos/decide.ts';
import type { WorkPhoto } from '#core/job/photos/events.ts';
import { fold } from '#core/kernel/decider.ts';
import { NotFoundError } from '#core/kernel/errors.ts';

type Words = Pick<WorkPhoto, 'stage' | 'caption'>;
type ChangeDeps = Parameters<typeof changeJob>[0] & Pick<Deps, 'db' | 'now'>;

/** Stores the bytes of a photo; answers the change that gives it to its job. Throws what `storePhoto` throws. */
export async function addedPhoto(
  deps: Pick<Deps, 'config' | 'db' | 'files' | 'now'>,
  photo: PhotoOfJob,
  { stage, caption, ...sent }: Words & Readonly<{ bytes: Uint8Array; turn: Turn }>,
): Promise<JobChange> {
  const stored = await storePhoto(deps, { ...photo, ...sent });
  await attachPhoto(deps.db, photo, deps.now());
  return { type: 'AddJobPhoto', ...stored, photoId: photo.photoId, stage, caption };
}

/**
 * The change that says what a photo shows. One that was removed is put back, if its bytes are still there; throws NotFoundError
 * if not.
 */
export async function describedPhoto(
  deps: Pick<Deps, 'db' | 'store' | 'now'>,
  photo: PhotoOfJob,
  { stage, caption }: Words,
): Promise<JobChange> {
  const { photoId } = photo;
  const { events } = await loadJob(deps, photo.businessId, photo.jobId);
  const readable = events.flatMap(({ event }) => event ?? []);
  const known = fold(jobDecider, readable)?.photos[photoId];
  if (!known?.isRemoved) return { type: 'DescribeJobPhoto', photoId, stage, caption };
  if (!(await attachPhoto(deps.db, photo, deps.now()))) throw new NotFoundError(photoNotFoundMessage);
  const { mime, bytes, sha256 } = known;
  return { type: 'AddJobPhoto', photoId, mime, bytes, sha256, stage, caption };
}

/** Makes such a change of a job. A photo that is refused does not stay. Throws what the decider of a job throws. */
export async function givePhoto(
  deps: ChangeDeps,
  session: Session,
  photo: PhotoOfJob,
  change: JobChange,
  correlation: string,
): Promise<ChangedJob> {
  try {
    return await give(deps, session, photo, change, correlation);
  } catch (error) {
    if (change.type === 'AddJobPhoto') await letPhotoGo(deps.db, photo, deps.now());
    throw error;
  }
}

/** Takes a photo from its job; its bytes wait a day for an undo. Throws what the decider of a job throws. */
export async function removePhoto(
  deps: ChangeDeps,
  session: Session,
  photo: PhotoOfJob,
  correlation: string,
): Promise<ChangedJob> {
  const change = { type: 'RemoveJobPhoto', photoId: photo.photoId } as const;
  const changed = await give(deps, session, photo, change, correlation);
  await letPhotoGo(deps.db, photo, deps.now());
  return changed;
}

function give(
  deps: ChangeDeps,
  session: Session,
  { jobId }: PhotoOfJob,
  change: JobChange,
  correlation: string,
): Promise<ChangedJob> {
  return changeJob(deps, { session, jobId, changes: [change], ifUnchangedSince: undefined, correlation });
}
