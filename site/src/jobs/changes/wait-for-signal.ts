import type { ApiError } from '#site/lib/http/api.ts';
import { changesMark, isMarked } from '#site/lib/offline/marks.ts';
import type { NewChange } from './change-queue.ts';

const load = () => import('./start-queue.tsx');

/**
 * Queues a change of a job to which no answer came while the server is out of reach; without an `error`, behind those of the job that
 * wait. Answers whether it waits now; where it does not, the error is to be shown.
 */
export async function waitForSignal(jobId: string, change: NewChange, error?: unknown): Promise<boolean> {
  if (error && (error as ApiError).status !== 0) return false;
  return load()
    .then((queue) => queue.queueChange(jobId, change, !error))
    .catch(() => false);
}

/** Sends what an earlier page left to be sent, or what waits at once. */
export function sendWaiting(): void {
  if (!isMarked(changesMark)) return;
  // What could not be loaded is tried again with the next page.
  load()
    .then((queue) => queue.startQueue())
    .catch(() => {});
}
