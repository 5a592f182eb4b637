import type { PoolClient } from 'pg';
import type { Deps } from '#api/deps.ts';
import { botCheckFailed, botCheckNeeded, HttpError, tooManyRequests } from '#api/http/answers.ts';
import { isFirstUse, spendTicket } from '#api/http/bot-check-tickets.ts';
import { keyUsedBefore, recordIdempotencyKey } from '#api/http/idempotency.ts';
import { contextOf } from '#api/http/request-context.ts';
import { attachMedia, mediaOfJob } from '#api/intake/media.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { jobDecider } from '#core/job/job.ts';
import type { RequestJob } from '#core/job/request/decide.ts';
import type { HeldFor } from '#core/job/status/statuses.ts';
import { canonicalJson, type Json } from '#core/kernel/canonical-json.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import {
  accept,
  countFormRequest,
  heldBefore,
  type IntakeLimits,
  noteIntake,
  unavailableLimits,
} from './intake-limits.ts';

/** The ids of a request and of its job: those of its first sending, where the sender has a key of its own. */
export function requestIds(
  { newId }: Pick<Deps, 'newId'>,
  businessId: string,
  key: string | null,
): Pick<Submission, 'jobId' | 'key'> {
  return key === null ? { jobId: newId(), key: newId() } : { jobId: uuidV5(businessId, key), key };
}

/** A valid request on its way in, and what is known of its sender. */
export type Submission = Readonly<{
  businessId: string;
  /** What was sent, as it was sent: the same key with another body is refused. */
  body: Json;
  request: Omit<RequestJob['data'], 'jobId' | 'businessId' | 'media' | 'heldFor'>;
  /** Ids of files that are here already and wait for a job. */
  media: readonly string[];
  /** The id the job gets unless the key has one already. */
  jobId: string;
  key: string;
  /** The bot check's ticket; null at a channel that has stricter limits instead. */
  ticket: string | null;
  /** Null for a channel that only the product itself uses. */
  limits: IntakeLimits | null;
  sourceHash: string;
  actor: string;
  correlation: string;
}>;

/** What is accepted: under which id, with which files, and whether it is held for review. */
type Accepted = Pick<RequestJob['data'], 'jobId' | 'media'> &
  Readonly<{ heldFor: HeldFor | null; isRepeat: boolean }>;

/**
 * Accepts a customer's request and appends it: at most one job per key, whatever is repeated or runs at once.
 * Key, ticket, limits and files are taken in one transaction before the append, so a refusal costs the customer nothing,
 * and a retry after a lost answer has paid already. Answers the job's id.
 */
export async function submitJobRequest(
  deps: Pick<Deps, 'config' | 'db' | 'store' | 'now'>,
  submission: Submission,
): Promise<string> {
  const { businessId, request } = submission;
  const taken = await counted(deps, submission, (shown) =>
    inTransaction(deps.db, (db) => acceptOnce(deps, db, submission, shown)),
  );
  const { isRepeat, heldFor, ...accepted } = taken;
  const { jobId } = accepted;
  const entered = { businessId, ...request, ...accepted };
  const command: RequestJob = {
    type: 'RequestJob',
    at: deps.now().toISOString(),
    data: { ...entered, heldFor },
  };
  const { events } = await handleCommand(deps.store, jobDecider, streamName('job', jobId), command, {
    commandId: jobId,
    actor: submission.actor,
    correlation: submission.correlation,
  });
  // The key is deleted after a day, and its job is not.
  const [created] = events;
  if (!isRepeat && created?.type === 'JobRequested') {
    const { requestedAt: _, ...before } = created.data;
    if (contentOf(before) !== contentOf(entered)) throw keyUsedBefore();
  }
  return jobId;
}

/** What a customer entered; the texts of the questions may have changed since. */
function contentOf({
  location,
  answers,
  media,
  reachBy = '',
  unsentFiles = 0,
  ...typed
}: Omit<RequestJob['data'], 'heldFor'>): string {
  const given = answers.map(({ questionId, answer }) => [questionId, answer]);
  return canonicalJson([typed, reachBy, unsentFiles, location.address, given, media.map(({ id }) => id)]);
}

/** What a script gets that filled in the field which people do not see: an id like any other, and no job. */
export function swallow(deps: Pick<Deps, 'logger' | 'newId'>, request: Request): string {
  deps.logger.info({ event: 'honeypot', id: contextOf(request).id });
  return deps.newId();
}

/** Under which the keys of a business's public form are stored. */
export function scopeOf(businessId: string): string {
  return `public-form:${businessId}`;
}

/** What a request has shown on its way: a bot check that was solved, or a source within its limit. */
type Shown = { checked: boolean; withinSource: boolean };

/**
 * Counts a request for the price of the form once it is known what became of it: beside its transaction, as what is refused counts
 * too. A post that has cost nothing, or nothing more than one before, does not: else posts with an invented ticket, or one ticket
 * sent again and again, would raise the price for the customers of a business.
 */
async function counted<T>(
  deps: Pick<Deps, 'db' | 'now'>,
  { businessId, ticket }: Submission,
  work: (shown: Shown) => Promise<T>,
): Promise<T> {
  const shown: Shown = { checked: false, withinSource: false };
  try {
    return await work(shown);
  } catch (error) {
    const counts = shown.checked ? ticket && (await isFirstUse(deps.db, ticket)) : shown.withinSource;
    if (counts) await countFormRequest(deps.db, businessId, deps.now());
    throw error;
  }
}

async function acceptOnce(
  deps: Pick<Deps, 'config' | 'now'>,
  db: PoolClient,
  submission: Submission,
  shown: Shown,
): Promise<Accepted> {
  const { businessId, key, body } = submission;
  const now = deps.now();
  const scope = scopeOf(businessId);
  const use = await recordIdempotencyKey(db, { scope, key, body, resultId: submission.jobId }, now);
  const jobId = use.resultId;
  const heldFor = use.repeat
    ? await heldBefore(db, jobId)
    : await throttle(deps, db, submission, { now, shown });
  const media = use.repeat
    ? await mediaOfJob(db, { businessId, jobId })
    : await attachMedia(db, { businessId, jobId, ids: submission.media }, now);
  return { jobId, media, heldFor, isRepeat: use.repeat };
}

/**
 * Spends the ticket where there is one, and a place within the limits of its channel. Answers why the request is held, if it is.
 * Throws 429 beyond the limits, and 400 with `botCheck` for a ticket that cost less than a rush of requests asks for.
 */
async function throttle(
  deps: Pick<Deps, 'config'>,
  db: PoolClient,
  submission: Submission,
  { now, shown }: Readonly<{ now: Date; shown: Shown }>,
): Promise<HeldFor | null> {
  const { jobId, businessId, sourceHash, ticket, limits } = submission;
  const spent = ticket === null ? null : await spendTicket(db, ticket, 'public-form', now);
  if (ticket !== null && spent === null) {
    throw botCheckFailed('The bot check was used or is too old, please try again');
  }
  const checked = spent?.checked ?? true;
  if (limits === null) return null;
  const request = { jobId, businessId, sourceHash };
  const ofChannel = checked ? limits : unavailableLimits;
  if (!isLimited(deps, submission)) {
    const heldFor = checked ? null : 'unchecked';
    await noteIntake(db, { ...request, channel: ofChannel.channel, heldFor, isCounted: false }, now);
    return heldFor;
  }
  shown.checked = spent?.checked ?? false;
  if (spent && now.getTime() - spent.begunAt.getTime() < deps.config.formLeastSeconds * 1_000) {
    throw new HttpError(
      'bot-check-too-quick',
      'That was very quick: please check what you entered and send it again',
    );
  }
  const acceptance = await accept(db, request, ofChannel, now);
  shown.withinSource = acceptance.accepted || acceptance.full === 'business';
  if (!acceptance.accepted) throw tooManyRequests(acceptance.retryAfterSeconds);
  const { price } = acceptance;
  if (spent?.checked && spent.price < price) throw botCheckNeeded({ scope: 'public-form', price });
  return acceptance.heldFor;
}

function isLimited({ config }: Pick<Deps, 'config'>, { limits }: Submission): boolean {
  return limits !== null && config.rateLimits === 'on';
}
