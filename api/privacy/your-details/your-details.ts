import { createHash } from 'node:crypto';
import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps, IssuedRecord } from '#api/deps.ts';
import type { Turn } from '#api/http/gate.ts';
import { sharedLimiter } from '#api/http/limits.ts';
import { findLink } from '#api/intake/answer-links.ts';
import { JOB_READ_MODELS } from '#api/jobs/change-job.ts';
import { type LoadedJob, loadJob } from '#api/jobs/load-job.ts';
import { cancelErasure, isAskedByCustomer } from '#api/privacy/request-erasure.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { AskForCorrection } from '#core/job/customer/decide.ts';
import { jobDecider } from '#core/job/job.ts';
import { type AskForRemoval, erasedMessage } from '#core/job/retention/decide.ts';
import { NotFoundError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { jobReference } from '#core/values/job-form.ts';
import type { Region } from '#core/values/region.ts';
import { filesOf, type HeldDetails, heldOf, plannedErasure, typedBy } from './held-details.ts';
import { removeUnaccepted } from './removal-requests.ts';

/** What the page behind a receipt's "Your details" shows. `phone` is E.164, `slug` of the public form, `timeZone` IANA. `held` is null once the details are removed. */
export type YourDetails = Readonly<{
  business: string;
  phone: string | null;
  slug: string | null;
  timeZone: string;
  region: Region;
  reference: string;
  /** When the details were removed, an instant; null while they are held. */
  removedAt: string | null;
  held: HeldDetails | null;
}>;

/** What a customer can ask for. `keep` takes back a removal that they asked for. */
export type DetailsAsk = Readonly<{ ask: 'correction'; text: string } | { ask: 'removal' | 'keep' }>;

type DetailsDeps = Pick<Deps, 'config' | 'db' | 'store' | 'now' | 'newId' | 'readSide'>;

/** What is held about the customer behind a link. Changes nothing. Throws NotFoundError for a link that is none. */
export async function readYourDetails(
  deps: Pick<Deps, 'config' | 'db' | 'store' | 'now'>,
  token: string,
): Promise<YourDetails> {
  const { job, business } = await open(deps, token);
  const { details } = job;
  return {
    business: business.tradingName || business.name,
    // The form of a business that is to close is offline.
    ...{ phone: business.contact.phone, slug: business.closing ? null : business.slug },
    timeZone: business.timeZone,
    ...{ region: business.region, reference: jobReference(details.id), removedAt: details.erasedAt },
    held: details.erasedAt === null ? await heldOf(deps, job, business.retentionYears) : null,
  };
}

/** Every stored field about the customer of a job, for `my-request.json`. Throws NotFoundError, also once they are removed. */
export async function downloadYourDetails(
  deps: Pick<Deps, 'config' | 'db' | 'store' | 'now'>,
  token: string,
): Promise<object> {
  const { job, business } = await open(deps, token);
  const { details } = job;
  if (details.erasedAt !== null) throw new NotFoundError(erasedMessage);
  const { corrections, retention, removal } = await heldOf(deps, job, business.retentionYears);
  const [{ address: _, ...typed }, { isUrgent, unsentFiles }] = [typedBy(details), details];
  return {
    heldBy: business.tradingName || business.name,
    reference: jobReference(details.id),
    downloadedAt: deps.now().toISOString(),
    leftOut: leftOutWords,
    request: {
      ...{ ...typed, location: details.location, isUrgent, unsentFiles },
      answers: details.answers.map(({ question, answer }) => ({ question, answer })),
      files: filesOf(details).map(({ name, mime, bytes }) => ({ name, mime, bytes })),
      sentAt: details.createdAt,
    },
    job: {
      ...{ status: details.status, scheduledAt: details.scheduledAt },
      noLongerNeededAt: details.noLongerNeededAt,
    },
    ...{ retention, corrections, removal },
  };
}

/** What the page and the file say of what is not in them. */
const leftOutWords = 'What the business wrote and photographed about the job is left out.';

/**
 * Asks for a correction or for the removal, or takes the removal back: each once, however often it is sent. Throws NotFoundError,
 * InvalidInputError and ConflictError as the job's decider does.
 */
export async function askAboutDetails(
  deps: DetailsDeps,
  token: string,
  ask: DetailsAsk,
  correlation: string,
): Promise<YourDetails> {
  const { link, job } = await open(deps, token);
  if (ask.ask === 'keep') await keep(deps, job);
  else {
    const { jobId, businessId } = link;
    const at = deps.now().toISOString();
    const command: AskForCorrection | AskForRemoval =
      ask.ask === 'correction'
        ? { type: 'AskForCorrection', at, data: { jobId, businessId, text: ask.text } }
        : { type: 'AskForRemoval', at, data: { jobId, businessId } };
    // An id by chance: one made of the text could be guessed from, and the decider knows a repeat.
    const cause = { commandId: deps.newId(), actor: 'customer', correlation };
    const stream = streamName('job', jobId);
    const { position } = await handleCommand(deps.store, jobDecider, stream, command, cause);
    if (ask.ask === 'removal') await removeUnaccepted(deps, link);
    await deps.readSide.waitFor(JOB_READ_MODELS, position);
  }
  return readYourDetails(deps, token);
}

/** Records of one job that its customer makes in a day: each is an entry of its history. */
const RECORDS = { name: 'details-record', points: 10, seconds: 24 * 60 * 60 };

/**
 * Makes signed records of jobs for their customers: what they sent is open, whatever the status withholds from the business; what the
 * business wrote is not. Throws NotFoundError, also once the details are removed, a 429, and as `issueRecord` does.
 */
export function yourRecordMaker(
  deps: DetailsDeps & Pick<Deps, 'proof'>,
): (token: string, correlation: string, turn: Turn) => Promise<IssuedRecord> {
  const perJob = sharedLimiter(deps, RECORDS);
  return async (token, correlation, turn) => {
    const { link, job } = await open(deps, token);
    const { jobId, businessId } = link;
    if (job.details.erasedAt !== null) throw new NotFoundError(erasedMessage);
    await perJob.consume(jobId);
    const wanted = { audience: 'customer', by: 'customer', at: null, upTo: null, anchors: [] } as const;
    try {
      const cause = { actor: 'customer', correlation, turn };
      return await deps.proof.issueRecord({ businessId, jobId, ...wanted }, cause);
    } catch (error) {
      // Presses while no process signs are not to cost the day's records.
      await perJob.giveBack(jobId);
      throw error;
    }
  };
}

async function keep(deps: DetailsDeps, job: LoadedJob): Promise<void> {
  const planned = plannedErasure(job);
  if (planned !== null && (await isAskedByCustomer(deps, planned)))
    await cancelErasure(deps, planned, 'customer');
}

async function open(deps: Pick<Deps, 'db' | 'store' | 'now'>, token: string) {
  const link = await findLink(deps.db, 'privacy', token, deps.now());
  if (link === null) throw new NotFoundError('Link not found');
  const [job, business] = await Promise.all([
    loadJob(deps, link.businessId, link.jobId),
    loadBusiness(deps, link.businessId),
  ]);
  if (!business) throw new NotFoundError('Business not found');
  return { link, job, business };
}

/** By what the presses of one link are counted: nothing that opens it. */
export function linkKey(token: string): string {
  return createHash('sha256').update(`limit ${token}`).digest('base64url');
}
