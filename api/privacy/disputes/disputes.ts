import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import type { ErasureScope } from '#core/erasure/events.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { typedEvents } from '#core/event-store/typed-events.ts';
import { assertNoDispute, type Dispute, disputeAfter, isDisputed } from '#core/job/dispute.ts';
import { isJobEvent, type JobEvent } from '#core/job/events.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { listJobIds } from '#projections/jobs/erased.ts';

type OfJobs = Readonly<{ scope: ErasureScope; businessId?: string | null; ids: readonly string[] }>;

/** Jobs of a business whose streams are read at once. */
const AT_ONCE = 8;
const PAGE = 500;

/**
 * The dispute about the first of an erasure's jobs that has one at a moment, from the jobs' own streams; null for none. Of an account or a
 * business the jobs are found with `everyRow`; without it they are not looked at.
 */
export async function findDispute(
  { store, everyRow }: Pick<Deps, 'store'> & Readonly<{ everyRow?: Pool }>,
  { scope, businessId, ids }: OfJobs,
  now: Date,
): Promise<Dispute> {
  const look = async (jobId: string) =>
    disputeIn(typedEvents(isJobEvent, await store.readStream(streamName('job', jobId))), now);
  if (scope === 'jobs') return firstDispute(ids, look);
  if (scope === 'demo' || !everyRow || !businessId) return null;
  for (let after = ''; ; ) {
    const page = await listJobIds(everyRow, businessId, { after, limit: PAGE });
    const dispute = await firstDispute(page, look);
    if (dispute || page.length < PAGE) return dispute;
    after = page.at(-1) ?? '';
  }
}

async function firstDispute(
  jobIds: readonly string[],
  look: (jobId: string) => Promise<Dispute>,
): Promise<Dispute> {
  for (let begin = 0; begin < jobIds.length; begin += AT_ONCE) {
    const found = await Promise.all(jobIds.slice(begin, begin + AT_ONCE).map(look));
    const dispute = found.find((one) => one !== null);
    if (dispute) return dispute;
  }
  return null;
}

/** The dispute that a job's events leave at a moment; null for none. */
export function disputeIn(events: readonly RecordedEvent<JobEvent>[], now: Date): Dispute {
  const dispute = events.reduce<Dispute>((one, { event }) => (event ? disputeAfter(one, event) : one), null);
  return isDisputed(dispute, now.toISOString()) ? dispute : null;
}

/**
 * Throws ConflictError, with words for the tradie and the operator, while one of the jobs is in dispute. The closing of a business may be
 * asked for all the same: it waits for the end of the dispute.
 */
export async function refuseDisputed(deps: Pick<Deps, 'store'>, jobs: OfJobs, now: Date): Promise<void> {
  assertNoDispute(await findDispute({ store: deps.store }, jobs, now), now.toISOString());
}
