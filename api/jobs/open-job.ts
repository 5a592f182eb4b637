import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { OpenJob } from '#core/job/answer/decide.ts';
import { jobDecider } from '#core/job/job.ts';
import type { JobDetails } from '#core/job/view.ts';
import { streamName } from '#core/kernel/stream-name.ts';

/** Notes the first look at a job that waits for an answer. Reading goes on whatever becomes of the note. */
export async function noteOpened(
  deps: Pick<Deps, 'store' | 'now' | 'newId' | 'logger'>,
  { accountId, businessId }: Pick<Session, 'accountId' | 'businessId'>,
  { id: jobId, status, openedAt }: JobDetails,
  correlation: string,
): Promise<void> {
  if (status !== 'Pending' || openedAt !== null) return;
  const command: OpenJob = {
    type: 'OpenJob',
    at: deps.now().toISOString(),
    data: { jobId, businessId },
  };
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  try {
    await handleCommand(deps.store, jobDecider, streamName('job', jobId), command, cause);
  } catch (error) {
    deps.logger.warn({
      event: 'job-opened-not-noted',
      reason: error instanceof Error ? error.name : typeof error,
    });
  }
}
