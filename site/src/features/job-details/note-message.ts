import type { MessageKind } from '#core/job/customer-messages.ts';
import type { JobView } from '#core/job/view.ts';
import { storeJob } from '#site/jobs/job-details-store.ts';
import { pathOf } from '#site/jobs/jobs-api.ts';
import { request } from '#site/lib/http/api.ts';

/** Notes in the history that a message was opened. The message opens anyway: a failure is only logged. */
export async function noteMessage(jobId: string, kind: MessageKind): Promise<void> {
  try {
    const options = { body: { kind }, keepalive: true };
    storeJob((await request<{ job: JobView }>('POST', `${pathOf(jobId)}/messages`, options)).job);
  } catch (error) {
    console.error('An opened message was not noted', error);
  }
}
