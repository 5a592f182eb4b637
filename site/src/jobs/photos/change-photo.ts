import type { JobView } from '#core/job/view.ts';
import { ApiError, request, unknownFailure } from '#site/lib/http/api.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { storeJob } from '../job-details-store.ts';
import type { Photo } from './photos-of.ts';

type Work = NonNullable<Photo['work']>;

/** Says anew what a photo of the work shows; false where that failed, which is shown. */
export function describePhoto(jobId: string, work: Work): Promise<boolean> {
  return attempt(work, { done: 'Photo saved', failed: 'Not saved' }, () => said(jobId, work));
}

/** Removes a photo of the work, with Undo: its bytes wait a day on the server. */
export async function removePhoto(jobId: string, work: Work): Promise<void> {
  const undo = () =>
    attempt(work, { done: 'The photo is back', failed: 'Not undone' }, () => said(jobId, work));
  await attempt(work, { done: 'Photo removed', failed: 'Not removed', undo }, () =>
    request('DELETE', `/jobs/${jobId}/photos/${work.id}`),
  );
}

const said = (jobId: string, { id, stage, caption }: Work) =>
  request('POST', `/jobs/${jobId}/photos/${id}`, { body: { stage, caption } });

type Words = Readonly<{ done: string; failed: string; undo?: () => unknown }>;

/** Changes a photo and shows what came of it, in the one place for toasts of this photo. */
async function attempt(
  { id }: Work,
  { done, failed, undo }: Words,
  change: () => Promise<{ job: JobView }>,
): Promise<boolean> {
  const slot = `photo:${id}`;
  try {
    const { job } = await change();
    storeJob(job);
    toast.success(done, { slot, ...(undo && { undo }) });
    return true;
  } catch (error) {
    const message = error instanceof ApiError ? error.message : unknownFailure;
    toast.error(message, { title: failed, slot });
    return false;
  }
}
