import type { JobView } from '#core/job/view.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { refreshQueries } from '#site/lib/http/query.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { storeJob } from './job-details-store.ts';
import { undoChange } from './jobs-api.ts';

/**
 * What Undo does in the toast of a change: takes back all that led to the job as it was answered; of notes that were
 * saved piece by piece, everything from the answer with revision `since` on.
 */
export function undoOf({ id, revision }: JobView, since?: number): () => Promise<void> {
  return async () => {
    try {
      storeJob(await undoChange(id, since === undefined ? { revision } : { revision, since }));
      toast.info('Your change was undone');
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : unknownFailure, { title: 'Not undone' });
    }
    refreshQueries((key) => key.startsWith('job'));
  };
}
