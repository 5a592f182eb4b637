import type { Deps } from '#api/deps.ts';
import { type LoadedJob, loadJob } from '#api/jobs/load-job.ts';
import type { JobDetails } from '#core/job/view.ts';
import type { OutboxMessage } from './outbox/outbox.ts';

/** The job that a message is about, as it is now. */
export async function loadMessageJob(
  deps: Pick<Deps, 'store'>,
  { businessId, jobId, kind }: Pick<OutboxMessage, 'businessId' | 'jobId' | 'kind'>,
): Promise<LoadedJob & { businessId: string }> {
  if (businessId === null || jobId === null) throw new TypeError(`${kind} is about a job`);
  return { ...(await loadJob(deps, businessId, jobId)), businessId };
}

/** Whether the tradie has yet to answer it, and is to be alerted: not of one whose customer wants to be forgotten. */
export function isWaiting({
  status,
  noLongerNeededAt,
  heldFor,
  erasureDueAt,
  erasedAt,
}: JobDetails): boolean {
  const isToForget = erasureDueAt !== null || erasedAt !== null;
  return status === 'Pending' && noLongerNeededAt === null && heldFor === null && !isToForget;
}
