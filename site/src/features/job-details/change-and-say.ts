import type { JobView } from '#core/job/view.ts';
import { storeJob } from '#site/jobs/job-details-store.ts';
import { ApiError, unknownFailure } from '#site/lib/http/api.ts';
import { toast } from '#site/ui/toast/toast.ts';

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
