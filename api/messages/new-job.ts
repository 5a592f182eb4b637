import type { Deps } from '#api/deps.ts';
import { jobSummary } from '#api/intake/answers/job-summary.ts';
import { storeLink } from '#api/intake/answers/links.ts';
import type { JobDetails } from '#core/job/view.ts';
import { truncate } from '#core/values/text.ts';
import { isWaiting, loadMessageJob } from './load-message-job.ts';
import { mintedSecret } from './minted-secret.ts';
import type { OutboxMessage } from './outbox/outbox.ts';
import { type Tradie, tradieOf, wantsAlert } from './tradie.ts';

/** What an alert says of a job: all that it takes to decide, nothing by which the customer is reached. */
export type NewJob = Readonly<{
  tradie: Tradie;
  details: JobDetails;
  title: string;
  suburb: string | null;
  when: string | null;
}>;

/** The job and whom to tell; null when it waits no more, or the tradie does not want to hear of such jobs. */
export async function newJob(deps: Pick<Deps, 'store'>, message: OutboxMessage): Promise<NewJob | null> {
  const { details, businessId } = await loadMessageJob(deps, message);
  if (!isWaiting(details)) return null;
  const tradie = await tradieOf(deps, businessId);
  if (!wantsAlert(tradie, details)) return null;
  const { title, suburb, when } = jobSummary(details, { timeZone: tradie.timeZone, base: null });
  return { tradie, details, title, suburb, when };
}

/** The address of the page that answers the job, for this message alone. */
export async function answerUrl(
  deps: Pick<Deps, 'config' | 'db' | 'now'>,
  message: OutboxMessage,
  { tradie, details }: NewJob,
): Promise<string> {
  const token = mintedSecret(deps.config, message);
  const target = { kind: 'answer', jobId: details.id, businessId: details.businessId } as const;
  await storeLink(deps.db, token, { ...target, accountId: tradie.accountId }, deps.now());
  return `${deps.config.publicOrigin}/answer/${token}`;
}

/** An SMS costs by its length: what is long is cut. */
export function alertText({ details, title, suburb, when }: NewJob, opening: string, url: string): string {
  const what = [truncate(title, 60), suburb && truncate(suburb, 40)].filter(Boolean).join(', ');
  const lines = [
    `${details.isUrgent ? 'URGENT. ' : ''}${opening}: ${what}.`,
    ...(when === null ? [] : [`When: ${truncate(when, 40)}.`]),
    `Accept or decline: ${url}`,
  ];
  return lines.join(' ');
}
