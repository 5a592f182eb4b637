import type { Deps } from '#api/deps.ts';
import { invalid } from '#api/http/answers.ts';
import type { Session } from '#api/http/request-context.ts';
import { loadJob } from '#api/jobs/load-job.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { jobDecider } from '#core/job/job.ts';
import { erasedMessage } from '#core/job/retention/decide.ts';
import type { JobStatus } from '#core/job/status/statuses.ts';
import { withholdsContact } from '#core/job/withheld-fields.ts';
import { fold } from '#core/kernel/decider.ts';
import { ConflictError, NotFoundError } from '#core/kernel/errors.ts';
import { jobsBeside } from '#core/values/stored-details.ts';
import { findContact, findJobsOfCustomer } from '#projections/jobs/erased.ts';
import { cancelErasure, isAskedByCustomer, requestErasure } from './request-erasure.ts';

const reasonMessage = 'The customer asked for this: to keep the details, say why';
const customersMessage = 'The customer asked for this, so the details go';

const passwordMessage = 'Type in your password to remove more than ten jobs at once';

const NAMESPACE = 'c6f7f0a4-1f3e-5d0a-9a63-0e5a4c4b6f11';

type Removal = Readonly<{
  jobId: string;
  /** Ids of other jobs of the customer. */
  others: readonly string[];
  currentPassword: string | undefined;
  /** Throws where the password is not the owner's. */
  confirm(password: string): Promise<unknown>;
}>;

/**
 * Removes the details of a job's customer in seven days, of `others` too; nothing where that is so already. Throws ConflictError
 * once they are removed, NotFoundError for another that is not the customer's, InvalidInputError without the password for more than ten.
 */
export async function removeCustomer(
  deps: Pick<Deps, 'db' | 'store' | 'now'>,
  session: Session,
  { jobId, others: chosen, currentPassword, confirm }: Removal,
): Promise<void> {
  const { businessId, accountId } = session;
  const { details } = await loadJob(deps, businessId, jobId);
  if (details.erasedAt !== null) throw new ConflictError(erasedMessage);
  if (details.erasureDueAt !== null) return;
  const known = await othersOf(deps, session, jobId);
  const others = known.filter(({ id }) => chosen.includes(id)).map(({ id }) => id);
  if (others.length !== new Set(chosen).size) throw new NotFoundError('Job not found');
  if (others.length > jobsBeside.freely) {
    if (currentPassword === undefined) throw invalid({ currentPassword: passwordMessage });
    await confirm(currentPassword);
  }
  await requestErasure(deps, {
    // Of two presses at once the second is the first again.
    erasureId: uuidV5(NAMESPACE, `${jobId}/${details.revision}`),
    ...{ scope: 'jobs', basis: 'tradie', businessId, actor: `account:${accountId}` },
    ids: [jobId, ...others],
  });
}

/**
 * Keeps the details of a job's customer after all. Throws ConflictError once they are removed, and where the customer asked for
 * the removal.
 */
export async function keepCustomer(
  deps: Pick<Deps, 'store' | 'now'>,
  { accountId, businessId }: Session,
  jobId: string,
): Promise<void> {
  const { events } = await loadJob(deps, businessId, jobId);
  const state = fold(
    jobDecider,
    events.flatMap(({ event }) => event ?? []),
  );
  if (state?.isErased) throw new ConflictError(erasedMessage);
  if (!state?.plannedErasure) return;
  if (await isAskedByCustomer(deps, state.plannedErasure)) throw new ConflictError(customersMessage);
  if (state.isRemovalAsked) throw new ConflictError(reasonMessage);
  await cancelErasure(deps, state.plannedErasure, `account:${accountId}`);
}

/** Another job of the same customer. */
type OtherJob = Readonly<{ id: string; name: string; title: string; status: JobStatus; createdAt: string }>;

/**
 * The customer's other jobs, found by email or mobile, whose details are to stay so far. Contact that is withheld is not compared, neither
 * that of the job nor that of another: whose it is could be tried out with a job of one's own.
 */
export async function othersOf(
  deps: Pick<Deps, 'db' | 'store'>,
  { businessId }: Session,
  jobId: string,
): Promise<OtherJob[]> {
  const { details: own } = await loadJob(deps, businessId, jobId);
  if (withholdsContact(own)) return [];
  const contact = await findContact(deps.db, businessId, jobId);
  if (!contact || (!contact.email && !contact.phone)) return [];
  const ids = await findJobsOfCustomer(deps.db, businessId, contact, 'shown');
  const others: OtherJob[] = [];
  for (const id of ids.filter((one) => one !== jobId).slice(0, jobsBeside.most)) {
    const { details } = await loadJob(deps, businessId, id);
    const { status, createdAt } = details;
    // The list may be behind the stream.
    if (!withholdsContact(details))
      others.push({ id, name: details.name, title: details.title, status, createdAt });
  }
  return others;
}
