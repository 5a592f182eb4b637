import type { JobView } from '#core/job/view.ts';
import { ApiError, unknownFailure } from '#site/lib/api.ts';
import { refreshQueries } from '#site/lib/query.ts';
import { toast } from '#site/lib/toast.ts';
import { keepJob } from './job-details-store.ts';
import { undoChange } from './jobs-api.ts';

/** What Undo does in the toast of a change: takes back all that led to the job as it was answered. */
export function undoOf(answered: JobView): () => Promise<void> {
  return async () => {
    try {
      keepJob(await undoChange(answered.id, answered.revision));
      toast.info('Your change was undone');
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : unknownFailure, { title: 'Not undone' });
    }
    refreshQueries((key) => key.startsWith('job'));
  };
}
