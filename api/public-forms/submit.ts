import type { PoolClient } from 'pg';
import { spendTicket } from '#api/bot-check/tickets.ts';
import type { Deps } from '#api/deps.ts';
import { badRequest, tooManyRequests } from '#api/http/http-errors.ts';
import { claimIdempotencyKey } from '#api/http/idempotency.ts';
import { contextOf } from '#api/http/request-context.ts';
import { inTransaction } from '#api/http/transaction.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { Json } from '#core/event-store/raw-log.ts';
import type { RequestJob } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { admit, type IntakeLimits } from './intake-limits.ts';

/** A valid request on its way in, and what the door knows of it. */
export type Submission = Readonly<{
  businessId: string;
  /** What was sent, as it was sent: the same key with another body is refused. */
  body: Json;
  request: Omit<RequestJob['data'], 'jobId' | 'businessId'>;
  /** The id the job gets unless the key has one already. */
  jobId: string;
  key: string;
  /** The bot check's ticket; null at a door that has stricter limits instead. */
  ticket: string | null;
  /** Null for a door that only the product itself uses. */
  limits: IntakeLimits | null;
  sourceHash: string;
  actor: string;
  correlation: string;
}>;

/**
 * Lets a customer's request in and appends it: at most one job per key, whatever is repeated or runs at once.
 * Key, ticket and limits are taken in one transaction before the append, so a refusal costs the customer nothing, and
 * a retry after a lost answer has paid already. Answers the job's id.
 */
export async function submitJobRequest(deps: Deps, submission: Submission): Promise<string> {
  const { businessId, request } = submission;
  const jobId = await inTransaction(deps.db, (db) => letIn(deps, db, submission));
  const command: RequestJob = {
    type: 'RequestJob',
    at: deps.now().toISOString(),
    data: { jobId, businessId, ...request },
  };
  await handleCommand(deps.store, jobDecider, streamName('job', jobId), command, {
    commandId: jobId,
    actor: submission.actor,
    correlation: submission.correlation,
  });
  return jobId;
}

/** What a script gets that filled in the field which people do not see: an id like any other, and no job. */
export function swallow(deps: Deps, request: Request): string {
  deps.logger.info({ event: 'honeypot', id: contextOf(request).id });
  return deps.newId();
}

async function letIn(deps: Deps, db: PoolClient, submission: Submission): Promise<string> {
  const { businessId, key, body, ticket, limits, sourceHash } = submission;
  const now = deps.now();
  const scope = `public-form:${businessId}`;
  const claim = await claimIdempotencyKey(db, { scope, key, body, resultId: submission.jobId }, now);
  const jobId = claim.resultId;
  if (claim.repeat) return jobId;
  if (ticket !== null && !(await spendTicket(db, ticket, 'public-form', now))) {
    throw badRequest('The bot check was used or is too old, please try again');
  }
  if (limits !== null && deps.config.rateLimits === 'on') {
    const admission = await admit(db, { jobId, businessId, sourceHash }, limits, now);
    if (!admission.admitted) throw tooManyRequests(admission.retryAfterSeconds);
  }
  return jobId;
}
