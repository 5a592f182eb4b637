import { map } from 'nanostores';
import { isUnfinished } from '#core/job/status/statuses.ts';
import type { JobView } from '#core/job/view.ts';
import { showChanged } from '#site/jobs/changes/change-job.ts';
import { $waiting } from '#site/jobs/changes/changes-store.ts';
import { waitForSignal } from '#site/jobs/changes/wait-for-signal.ts';
import { $jobCards, jobCounts, storeJob } from '#site/jobs/job-stores.ts';
import { changeJob, fetchJob, type JobChanges } from '#site/jobs/jobs-api.ts';
import { askForAfterPhotos } from '#site/jobs/photos/after-photos.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { readServer, refreshQueries } from '#site/lib/http/query.ts';
import { toast } from '#site/ui/toast/toast.ts';

export type PanelChange = Pick<JobChanges, 'status' | 'scheduledAt'>;

type PanelDeps = Readonly<{
  changeJob: typeof changeJob;
  /** Reads the job anew. Rejects where that is not possible. */
  readAgain(jobId: string): Promise<JobView>;
  showChanged: typeof showChanged;
  waitForSignal: typeof waitForSignal;
  refreshCounts(): Promise<void>;
  /** Called with a job whose work was finished by a change. */
  onCompleted(job: JobView): void;
  toast: Pick<typeof toast, 'error' | 'dismiss'>;
}>;

const updateFailed = 'job-update';
/** How long the job is waited for where the answer to its change was lost, in milliseconds. */
const readAgainTimeout = 10_000;

/** The changes of status and time that the panel of a job makes, one after the other. */
export function createPanelChanges(deps: PanelDeps) {
  const changing = map<Record<string, PanelChange | undefined>>({});
  /** By job id: the changes on their way in the order they were made, and the end of the last. */
  const onTheirWay = new Map<string, PanelChange[]>();
  const lastOf = new Map<string, Promise<void>>();

  /** Sends a new status or time after those made before it, and shows what the server made of it. Without a signal it waits. */
  function changeOnPanel(jobId: string, change: PanelChange): Promise<void> {
    show(jobId, [...(onTheirWay.get(jobId) ?? []), change]);
    const sent = (lastOf.get(jobId) ?? Promise.resolve()).then(() => send(jobId, change));
    lastOf.set(jobId, sent);
    return sent;
  }

  async function send(jobId: string, change: PanelChange): Promise<void> {
    const before = $jobCards.get()[jobId];
    try {
      if ($waiting.get()[jobId] && (await deps.waitForSignal(jobId, change))) return;
      const job = await deps.changeJob(jobId, change).catch((error) => changedAfterAll(jobId, change, error));
      deps.toast.dismiss(updateFailed);
      deps.showChanged(before, job, 'Job updated successfully');
      void deps.refreshCounts();
      if (change.status === 'Completed' && (!before || isUnfinished(before.status))) deps.onCompleted(job);
    } catch (error) {
      if (await deps.waitForSignal(jobId, change, error)) return;
      showUpdateFailed(error);
      refreshQueries((key) => key.startsWith('job'));
    } finally {
      const others = (onTheirWay.get(jobId) ?? []).filter((other) => other !== change);
      show(jobId, others);
    }
  }

  /** The job where the change arrived and its answer alone was lost on the way. Throws `error` where it did not arrive. */
  async function changedAfterAll(jobId: string, change: PanelChange, error: unknown): Promise<JobView> {
    const isLost = error instanceof ApiError && error.status === 0;
    const job = isLost ? await deps.readAgain(jobId).catch(() => null) : null;
    const isMade =
      job &&
      (['status', 'scheduledAt'] as const).every((part) => !(part in change) || change[part] === job[part]);
    if (!isMade) throw error;
    return job;
  }

  function show(jobId: string, changes: PanelChange[]): void {
    if (changes.length > 0) onTheirWay.set(jobId, changes);
    else {
      onTheirWay.delete(jobId);
      lastOf.delete(jobId);
    }
    changing.setKey(jobId, changes.length > 0 ? Object.assign({}, ...changes) : undefined);
  }

  /** Shows that an update did not reach the job, until the next one does; a second failure takes the place of the first. */
  function showUpdateFailed(error: unknown): void {
    console.error('The job could not be updated', error);
    deps.toast.error('Error updating job', { title: 'Oops, something went wrong', id: updateFailed });
  }

  /** `$changing`: what the changes that are on their way will make of a job together, by its id. */
  return { $changing: changing, changeOnPanel, showUpdateFailed };
}

export const { $changing, changeOnPanel, showUpdateFailed } = createPanelChanges({
  ...{ changeJob, showChanged, waitForSignal, toast, onCompleted: askForAfterPhotos },
  readAgain: (jobId) => fetchJob(jobId, readServer(AbortSignal.timeout(readAgainTimeout))),
  refreshCounts: () => jobCounts.refresh(),
});

/** Carries out a change of what is known of a job, shows the job as it is then, and says `done`. Answers whether it was; a failure is shown. */
export async function changeAndSay(
  jobId: string,
  done: string,
  change: () => Promise<{ job: JobView }>,
): Promise<boolean> {
  const slot = `job:${jobId}`;
  try {
    storeJob((await change()).job);
    toast.success(done, { slot });
    return true;
  } catch (error) {
    const message = error instanceof ApiError ? error.message : unknownFailure;
    toast.error(message, { title: 'Not changed', slot });
    return false;
  }
}
