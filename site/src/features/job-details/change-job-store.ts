import { map } from 'nanostores';
import { jobCounts } from '#site/features/jobs/job-counts-store.ts';
import { keepJob } from '#site/features/jobs/job-details-store.ts';
import { changeJob, type JobChanges } from '#site/features/jobs/jobs-api.ts';
import { undoOf } from '#site/features/jobs/undo.ts';
import { refreshQueries } from '#site/lib/query.ts';
import { toast } from '#site/lib/toast.ts';

export type PanelChange = Pick<JobChanges, 'status' | 'scheduledAt'>;

/** The change of status or schedule that is on its way, by job id. */
const changing = map<Record<string, PanelChange | undefined>>({});
export const $changing = changing;

/** Sends a new status or time and shows what the server made of it; one at a time. */
export async function changeOnPanel(jobId: string, change: PanelChange): Promise<void> {
  if (changing.get()[jobId]) return;
  changing.setKey(jobId, change);
  try {
    const job = await changeJob(jobId, change);
    keepJob(job);
    toast.success('Job updated successfully', { undo: undoOf(job) });
    void jobCounts.refresh();
  } catch (error) {
    tellUpdateFailed(error);
    refreshQueries((key) => key.startsWith('job'));
  } finally {
    changing.setKey(jobId, undefined);
  }
}

/** Says that an update did not reach the job; a second failure takes the place of the first. */
export function tellUpdateFailed(error: unknown): void {
  console.error('The job could not be updated', error);
  toast.error('Error updating job', { title: 'Oops, something went wrong', id: 'job-update' });
}
