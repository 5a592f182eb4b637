import type { Pool } from 'pg';
import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import type { Session } from '#api/http/request-context.ts';
import { type ChangedJob, carryOut } from '#api/jobs/change-job.ts';
import { loadJob } from '#api/jobs/load-job.ts';
import type { ErasureScope } from '#core/erasure/events.ts';
import { typedEvents } from '#core/event-store/codec.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { isJobEvent, type JobEvent, jobDecider } from '#core/job/job.ts';
import type { CloseJobDispute, OpenJobDispute } from '#core/job/retention/decide.ts';
import { disputeAfter, disputedMessage, heldMessage, isDisputed } from '#core/job/retention/dispute.ts';
import type { Dispute } from '#core/job/retention/events.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { severalLines } from '#core/values/text.ts';
import { listJobIds } from '#projections/jobs/erased.ts';

/** What an erasure is about: jobs, or one of what else is in `scope`. */
type Subjects = Readonly<{ scope: ErasureScope; businessId?: string | null; ids: readonly string[] }>;

/** What keeps something from being erased: a dispute about a job, or a hold on its whole business. */
export type Keeping = NonNullable<Dispute> & Readonly<{ of: 'job' | 'business' }>;

/** Jobs of a business whose streams are read at once. */
const AT_ONCE = 8;
const PAGE = 500;

type LookDeps = Pick<Deps, 'store'> & Readonly<{ everyRow?: Pool }>;

/**
 * What holds back the first of an erasure's subjects at a moment, from their own streams: a dispute about the job, or the hold on its
 * business, which counts for the business and its account too; null for nothing. Of an account or a business the jobs are found with
 * `everyRow`; without it they are not looked at.
 */
export async function findDispute(
  { store, everyRow }: LookDeps,
  { scope, businessId, ids }: Subjects,
  now: Date,
): Promise<Keeping | null> {
  const look = async (jobId: string) => {
    const events = typedEvents(isJobEvent, await store.readStream(streamName('job', jobId)));
    return { dispute: disputeIn(events, now), businessId: events.at(0)?.event?.data.businessId };
  };
  if (scope === 'demo') return null;
  if (scope === 'jobs') {
    const businessIds = new Set<string>();
    for (let begin = 0; begin < ids.length; begin += AT_ONCE) {
      for (const found of await Promise.all(ids.slice(begin, begin + AT_ONCE).map(look))) {
        if (found.dispute) return { ...found.dispute, of: 'job' };
        if (found.businessId !== undefined) businessIds.add(found.businessId);
      }
    }
    return findHold({ store }, businessIds, now);
  }
  if (!businessId) return null;
  const hold = await findHold({ store }, [businessId], now);
  if (hold || !everyRow) return hold;
  for (let after = ''; ; ) {
    const page = await listJobIds(everyRow, businessId, { after, limit: PAGE });
    const found = await findDispute({ store }, { scope: 'jobs', ids: page }, now);
    if (found || page.length < PAGE) return found;
    after = page.at(-1) ?? '';
  }
}

async function findHold(
  { store }: Pick<Deps, 'store'>,
  businessIds: Iterable<string>,
  now: Date,
): Promise<Keeping | null> {
  for (const businessId of businessIds) {
    const hold = (await loadBusiness({ store }, businessId))?.hold ?? null;
    if (hold !== null && isDisputed(hold, now.toISOString())) return { ...hold, of: 'business' };
  }
  return null;
}

/** The dispute that a job's events leave at a moment; null for none. */
export function disputeIn(events: readonly RecordedEvent<JobEvent>[], now: Date): Dispute {
  const dispute = events.reduce<Dispute>((one, { event }) => (event ? disputeAfter(one, event) : one), null);
  return isDisputed(dispute, now.toISOString()) ? dispute : null;
}

/**
 * Throws ConflictError, with words for the tradie and the operator, while something keeps one of the subjects. The closing of a business
 * with a job in dispute may be asked for all the same: it waits for the end of the dispute. That of one on hold may not.
 */
export async function refuseDisputed(
  { store }: Pick<Deps, 'store'>,
  subjects: Subjects,
  now: Date,
): Promise<void> {
  assertNotKept(await findDispute({ store }, subjects, now));
}

/** Throws ConflictError, with words, where something keeps what is to be erased. */
export function assertNotKept(kept: Keeping | null): void {
  if (kept !== null) throw new ConflictError(kept.of === 'job' ? disputedMessage(kept) : heldMessage(kept));
}

/** The dispute of a job as it is shown, from its own stream. Throws NotFoundError for another business's job. */
export async function shownDispute(
  deps: Pick<Deps, 'store' | 'now'>,
  businessId: string,
  jobId: string,
): Promise<{ until: string; reason: string } | null> {
  const { events } = await loadJob(deps, businessId, jobId);
  const dispute = disputeIn(events, deps.now());
  return dispute && { until: dispute.until.slice(0, 10), reason: dispute.reason };
}

type ChangeDeps = Pick<Deps, 'store' | 'readSide' | 'now' | 'newId'>;
type OpenedDispute = Readonly<{ jobId: string; until: string; reason: string }>;

/** Keeps what is known of a job until a day, such as 2027-05-20. Again: until another day. Throws what its decider throws. */
export function openDispute(
  deps: ChangeDeps,
  session: Session,
  { jobId, until: day, reason }: OpenedDispute,
  correlation: string,
): Promise<ChangedJob> {
  const of = { jobId, businessId: session.businessId };
  const data = { ...of, until: `${day}T00:00:00.000Z`, reason: severalLines(reason).trim() };
  const at = deps.now().toISOString();
  return give(deps, session, { type: 'OpenJobDispute', at, data }, correlation);
}

/** Says that the dispute about a job is over. Throws what its decider throws. */
export function closeDispute(
  deps: ChangeDeps,
  session: Session,
  jobId: string,
  correlation: string,
): Promise<ChangedJob> {
  const data = { jobId, businessId: session.businessId };
  return give(deps, session, { type: 'CloseJobDispute', at: deps.now().toISOString(), data }, correlation);
}

function give(
  deps: ChangeDeps,
  { accountId }: Session,
  command: OpenJobDispute | CloseJobDispute,
  correlation: string,
): Promise<ChangedJob> {
  const cause = { commandId: deps.newId(), actor: `account:${accountId}`, correlation };
  return carryOut(deps, jobDecider, command.data.jobId, command, cause);
}
