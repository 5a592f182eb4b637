import type { QueuedPhoto } from '#site/jobs/changes/photo-queue.ts';

/** How many photos of a job are where on their way. */
export type QueueCounts = Readonly<{ sent: number; sending: number; waiting: number }>;

/** How far the photos of a job are: `1 sent, 1 sending, 1 waiting`; null once none is left to send. */
export function queueInWords({ sent, sending, waiting }: QueueCounts, hasSignal: boolean): string | null {
  if (sending + waiting === 0) return null;
  return [
    ...(sent > 0 ? [`${sent} sent`] : []),
    ...(sending > 0 ? [`${sending} sending`] : []),
    ...(waiting > 0 ? [hasSignal ? `${waiting} waiting` : `${waiting} waiting for signal`] : []),
  ].join(', ');
}

/** The photos of a job that a page saw still to go, and how many of them are gone since: only what was refused is taken out. */
export type Followed = Readonly<{ toGo: readonly string[]; sent: number }>;

export const nothingSent: Followed = { toGo: [], sent: 0 };

/** Counts what was sent since; begins at nothing again once none is left to go. The same object where nothing changed. */
export function followQueue(before: Followed, photos: readonly QueuedPhoto[]): Followed {
  const toGo = photos.filter(({ problem }) => problem === undefined).map(({ photoId }) => photoId);
  if (toGo.join() === before.toGo.join()) return before;
  const left = new Set(photos.map(({ photoId }) => photoId));
  const gone = before.toGo.filter((photoId) => !left.has(photoId)).length;
  return toGo.length === 0 ? nothingSent : { toGo, sent: before.sent + gone };
}

/** What the tradie may do meanwhile. */
export const waysMeanwhile = (isStored: boolean): string =>
  isStored
    ? 'You can leave this page. They go up by themselves.'
    : 'Stay on this page until all are sent: this browser cannot store them.';
