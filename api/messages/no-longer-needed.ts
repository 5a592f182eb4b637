import type { Deps } from '#api/deps.ts';
import { hidesContact, isUnfinished } from '#core/job/statuses.ts';
import { shownText } from '#core/job/view.ts';
import { suburbOf } from '#core/values/contact-in-text.ts';
import { instantWords } from '#core/values/time.ts';
import { loadMessageJob } from './load-message-job.ts';
import type { OutboxMessage } from './outbox/outbox.ts';
import { type Tradie, tradieOf } from './tradie.ts';

export type CalledOff = Readonly<{
  tradie: Tradie;
  title: string;
  suburb: string | null;
  /** When the tradie was to turn up, in the business's zone. */
  scheduled: string | null;
  jobUrl: string;
  /** Whether the tradie had accepted it. */
  isAnswered: boolean;
}>;

/** A job that its customer called off, and whom to tell; null for one that is not worked on any more. */
export async function calledOff(
  deps: Pick<Deps, 'config' | 'store'>,
  message: OutboxMessage,
): Promise<CalledOff | null> {
  const { details, businessId } = await loadMessageJob(deps, message);
  if (details.noLongerNeededAt === null || !isUnfinished(details.status) || details.erasedAt !== null)
    return null;
  const tradie = await tradieOf(deps, businessId);
  return {
    tradie,
    title: shownText(details, details.title),
    suburb: suburbOf(details.location.address),
    scheduled: details.scheduledAt && instantWords(details.scheduledAt, tradie.timeZone),
    isAnswered: !hidesContact(details.status),
    jobUrl: `${deps.config.publicOrigin}/jobs/details/${details.id}`,
  };
}
