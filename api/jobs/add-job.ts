import { type } from 'arktype';
import type { Deps } from '#api/deps.ts';
import { recordIdempotencyKey } from '#api/http/idempotency.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { jobDecider } from '#core/job/job.ts';
import type { AddJob } from '#core/job/request/decide.ts';
import { assertSound } from '#core/kernel/errors.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { malformedMessage, normaliseNewJob, validateNewJob } from '#core/values/job-form.ts';
import { placeFields, pointProblems } from '#core/values/place.ts';
import { type ChangedJob, carryOut } from './change-job.ts';
import { assertSlot, Instant, storedInstant } from './scheduled-time.ts';
import type { Viewer } from './viewer.ts';

export type AdditionOfJob = Readonly<{
  viewer: Viewer;
  accountId: string;
  body: NewJob;
  /** The request's Idempotency-Key, null without one. */
  key: string | null;
  correlation: string;
}>;

/**
 * Adds the job that a tradie typed in: once per key, however often it is sent. Throws InvalidInputError for a phone that the
 * country of the business does not read, or when the key was used for something else, ConflictError when it was so long ago that only the job remembers.
 */
export async function addJob(
  deps: Pick<Deps, 'db' | 'newId' | 'store' | 'readSide'>,
  addition: AdditionOfJob,
): Promise<ChangedJob> {
  const { viewer, accountId, body, correlation } = addition;
  const { businessId, region } = viewer;
  assertSound(validateNewJob(body, region));
  const jobId = await acceptAddition(deps, addition);
  const { address, ...typed } = normaliseNewJob(body, region);
  const location = { address, placeId: body.placeId ?? null, lat: body.lat ?? null, lng: body.lng ?? null };
  const scheduledAt = storedInstant(body.scheduledAt ?? null);
  const command: AddJob = {
    type: 'AddJob',
    at: viewer.now.toISOString(),
    data: { jobId, businessId, ...typed, location, scheduledAt },
  };
  const cause = { commandId: jobId, actor: `account:${accountId}`, correlation };
  return carryOut(deps, jobDecider, jobId, command, cause);
}

/** The job's id: the key's own where there is one. A repeat was accepted before, whatever the time is now. */
async function acceptAddition(
  deps: Pick<Deps, 'db' | 'newId'>,
  { viewer, body, key }: AdditionOfJob,
): Promise<string> {
  const { businessId, now } = viewer;
  const scheduledAt = body.scheduledAt ?? null;
  if (key === null) {
    assertSlot(scheduledAt, viewer);
    return deps.newId();
  }
  // The plain key names what customers send through the form.
  const use = { scope: `jobs:${businessId}`, key, body, resultId: uuidV5(businessId, `added ${key}`) };
  return inTransaction(deps.db, async (db) => {
    const { repeat, resultId } = await recordIdempotencyKey(db, use, now);
    if (!repeat) assertSlot(scheduledAt, viewer);
    return resultId;
  });
}

/**
 * The body of POST /jobs. Closed: a request cannot carry a status, a type or an id. `address` is the formatted address,
 * `scheduledAt` an instant with its offset.
 */
export const NewJob = type({
  '+': 'reject',
  name: 'string',
  email: 'string',
  phone: 'string',
  address: 'string',
  'title?': 'string',
  'notes?': 'string',
  'scheduledAt?': Instant.or('null'),
  ...placeFields,
})
  .configure({ message: () => malformedMessage }, 'references')
  .narrow((job, ctx) => {
    const problems = { ...validateNewJob(job, null), ...pointProblems(job) };
    for (const [field, message] of Object.entries(problems)) ctx.error({ path: [field], message });
    return !ctx.hasError();
  });
export type NewJob = typeof NewJob.infer;
