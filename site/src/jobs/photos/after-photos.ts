import { atom, type ReadableAtom } from 'nanostores';
import { photoLimits } from '#core/job/photos/photo-stages.ts';
import type { JobView } from '#core/job/view.ts';
import { photoQueue } from '#site/jobs/changes/photo-queue.ts';
import { browserValues } from '#site/lib/browser-storage.ts';
import { isListOf, isText, readShaped } from '#site/lib/shape.ts';
import { $openDialogs } from '#site/ui/screen-store.ts';

/** Where the browser stores the ids of the jobs whose page asked, the newest last, and of how many. */
const key = 'ute.after-photos';
const mostJobs = 500;

const asking = atom<string | null>(null);

/** The id of the job whose page asks for photos of the finished work; null while none does. */
export const $askingForAfter: ReadableAtom<string | null> = asking;

/**
 * Has the page of a job that was just completed ask for photos of the finished work: once in this browser, where none was taken yet,
 * and not while the tradie types or has a dialog open.
 */
export function askForAfterPhotos({ id, photos = [] }: Pick<JobView, 'id' | 'photos'>): void {
  const isAfter = ({ stage }: { stage: string }) => stage === 'after';
  const hasAfter =
    photos.some(isAfter) || photoQueue.$photos.get().some((photo) => photo.jobId === id && isAfter(photo));
  if (hasAfter || photos.length >= photoLimits.photos || isBusy()) return;
  const before = askedBefore();
  if (before.includes(id)) return;
  browserValues.setItem(key, JSON.stringify([...before, id].slice(-mostJobs)));
  asking.set(id);
}

export function stopAsking(): void {
  asking.set(null);
}

function isBusy(): boolean {
  return (
    $openDialogs.get().length > 0 || Boolean(document.activeElement?.matches('input:not(.sr), textarea'))
  );
}

function askedBefore(): readonly string[] {
  return readShaped(browserValues.getItem(key), isListOf(isText)) ?? [];
}
