import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { carryOut } from '#api/jobs/change-job.ts';
import { loadJob } from '#api/jobs/load-job.ts';
import { cancelErasure, isAskedByCustomer } from '#api/privacy/request-erasure.ts';
import type { AnswerCorrection, CorrectDetails } from '#core/job/customer/decide.ts';
import { jobDecider } from '#core/job/job.ts';
import type { RefuseRemoval } from '#core/job/retention/decide.ts';
import { retainedUntil } from '#core/job/retention/periods.ts';
import { assertSound, NotFoundError } from '#core/kernel/errors.ts';
import { normaliseNewJob, validateNewJob } from '#core/values/job-form.ts';
import { pointProblems } from '#core/values/place.ts';
import { type CorrectionAnswer, type KeepReason, retentionYears } from '#core/values/stored-details.ts';
import { plannedErasure } from './held-details.ts';

type AnswerDeps = Pick<Deps, 'store' | 'readSide' | 'now' | 'newId'>;

/**
 * Keeps a customer's details although they asked for the removal, for one of four reasons, until the day on which they go
 * anyhow. What the business itself had planned is taken back. Throws what the decider of a job throws.
 */
export async function refuseRemoval(
  deps: AnswerDeps,
  session: Session,
  { jobId, reason }: Readonly<{ jobId: string; reason: KeepReason }>,
  correlation: string,
): Promise<void> {
  await give(deps, session, await refusal(deps, session, jobId, reason), correlation);
  await keepWhatWasPlanned(deps, session, jobId);
}

/** The customer as a form has them. Coordinates come with the address that they are of. */
type CorrectedDetails = Readonly<{ name: string; email: string; phone: string; address: string }> & Place;
type Place = Readonly<{ placeId?: string | null; lat?: number | null; lng?: number | null }>;
type Answered = Readonly<{
  jobId: string;
  /** The revision of its entry in the history. */
  asked: number;
  answer: CorrectionAnswer;
  details?: CorrectedDetails;
}>;

/**
 * Answers a correction that a customer asked for; with `details` the job has these from then on. Throws what the decider of a
 * job throws.
 */
export async function answerCorrection(
  deps: AnswerDeps,
  session: Session,
  { jobId, asked, answer, details }: Answered,
  correlation: string,
): Promise<void> {
  const { businessId } = session;
  const at = deps.now().toISOString();
  const of = { jobId, businessId, asked };
  const command: CorrectDetails | AnswerCorrection = details
    ? { type: 'CorrectDetails', at, data: { ...of, ...(await correctedBy(deps, of, details)) } }
    : { type: 'AnswerCorrection', at, data: { ...of, answer } };
  await give(deps, session, command, correlation);
}

async function give(
  deps: AnswerDeps,
  { accountId }: Session,
  command: RefuseRemoval | CorrectDetails | AnswerCorrection,
  correlation: string,
): Promise<void> {
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  await carryOut(deps, jobDecider, command.data.jobId, command, cause);
}

/** In the spelling that is stored. Throws InvalidInputError with fields. An address that stays the same stays where it is on the map. */
async function correctedBy(
  deps: Pick<Deps, 'store'>,
  { businessId, jobId }: Readonly<{ businessId: string; jobId: string }>,
  given: CorrectedDetails,
) {
  const [{ details }, business] = await Promise.all([
    loadJob(deps, businessId, jobId),
    loadBusiness(deps, businessId),
  ]);
  if (!business) throw new NotFoundError('Job not found');
  const problems = Object.entries({ ...validateNewJob(given, business.region), ...pointProblems(given) });
  assertSound(Object.fromEntries(problems.map(([field, message]) => [`details.${field}`, message])));
  const { name, email, phone, address } = normaliseNewJob(given, business.region);
  const { placeId = null, lat = null, lng = null } = given;
  const isSame = address === details.location.address && placeId === null && lat === null;
  const location = isSame ? details.location : { address, placeId, lat, lng };
  return { name, email, phone, location };
}

/** Until the day on which they would go anyhow: so long after the last event as the business stores details. */
async function refusal(
  deps: Pick<Deps, 'store' | 'now'>,
  { businessId }: Session,
  jobId: string,
  reason: KeepReason,
): Promise<RefuseRemoval> {
  const [{ events }, business] = await Promise.all([
    loadJob(deps, businessId, jobId),
    loadBusiness(deps, businessId),
  ]);
  const last = events.at(-1);
  if (!last) throw new NotFoundError('Job not found');
  const years = business?.retentionYears ?? retentionYears.standard;
  const until = retainedUntil('worked-on', new Date(last.metadata.at), years).toISOString();
  const data = { jobId, businessId, reason, until };
  return { type: 'RefuseRemoval', at: deps.now().toISOString(), data };
}

/** The business had answered by its own removal, and changed its mind. */
async function keepWhatWasPlanned(
  deps: Pick<Deps, 'store' | 'now'>,
  { businessId, accountId }: Session,
  jobId: string,
): Promise<void> {
  const planned = plannedErasure(await loadJob(deps, businessId, jobId));
  if (planned !== null && !(await isAskedByCustomer(deps, planned)))
    await cancelErasure(deps, planned, `account:${accountId}`);
}
