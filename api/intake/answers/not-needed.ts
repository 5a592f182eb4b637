import type { Deps } from '#api/deps.ts';
import { findLink, type Link } from '#api/intake/answer-links.ts';
import { JOB_READ_MODELS } from '#api/jobs/change-job.ts';
import { loadJob } from '#api/jobs/load-job.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { SayJobNoLongerNeeded } from '#core/job/customer/decide.ts';
import { jobDecider } from '#core/job/job.ts';
import { isUnfinished } from '#core/job/status/statuses.ts';
import type { JobDetails } from '#core/job/view.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { jobReference } from '#core/values/job-form.ts';
import { getBusiness } from '#projections/public-form/read.ts';

/** What the page of a 'no longer needed' link shows: nothing that was typed into the form. */
export type NotNeededPage = Readonly<{
  business: string;
  /** The number that the business publishes, E.164. */
  phone: string | null;
  /** The slug of its public form. */
  slug: string | null;
  reference: string;
  requestedAt: string;
  /** `told`: the tradie knows; `declined`, `done`: there is nothing to call off. */
  state: 'open' | 'told' | 'declined' | 'done';
}>;

type AnswerDeps = Pick<Deps, 'db' | 'store' | 'now' | 'readSide'>;

/** The job behind a customer's link. Changes nothing. Throws NotFoundError for a link that is none. */
export async function readNotNeededPage(deps: AnswerDeps, token: string): Promise<NotNeededPage> {
  const { jobId, businessId } = await openLink(deps, token);
  const [{ details }, business] = await Promise.all([
    loadJob(deps, businessId, jobId),
    getBusiness(deps.db, businessId),
  ]);
  if (!business) throw new NotFoundError('Business not found');
  return {
    ...{ business: business.name, phone: business.phone, slug: business.slug },
    ...{ reference: jobReference(jobId), requestedAt: details.createdAt },
    state: stateOf(details),
  };
}

/** Tells the tradie that the customer does not need the job any more: once, however often it is sent. */
export async function sayNotNeeded(
  deps: AnswerDeps,
  token: string,
  correlation: string,
): Promise<NotNeededPage> {
  const { jobId, businessId } = await openLink(deps, token);
  const command: SayJobNoLongerNeeded = {
    type: 'SayJobNoLongerNeeded',
    at: deps.now().toISOString(),
    data: { jobId, businessId },
  };
  const cause = { commandId: uuidV5(jobId, 'not needed'), actor: 'customer', correlation };
  const { position } = await handleCommand(deps.store, jobDecider, streamName('job', jobId), command, cause);
  await deps.readSide.waitFor(JOB_READ_MODELS, position);
  return readNotNeededPage(deps, token);
}

function stateOf({ noLongerNeededAt, status }: JobDetails): NotNeededPage['state'] {
  if (noLongerNeededAt !== null) return 'told';
  if (status === 'Rejected') return 'declined';
  return isUnfinished(status) ? 'open' : 'done';
}

async function openLink(deps: AnswerDeps, token: string): Promise<Link> {
  const link = await findLink(deps.db, 'not-needed', token, deps.now());
  if (link === null) throw new NotFoundError('Link not found');
  return link;
}
