import type { Deps } from '#api/deps.ts';
import type { ErasureScope } from '#core/erasure/events.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { typedEvents } from '#core/event-store/typed-events.ts';
import { assertNoDispute, type Dispute, disputeAfter, isDisputed } from '#core/job/dispute.ts';
import { isJobEvent, type JobEvent } from '#core/job/events.ts';
import { streamName } from '#core/kernel/stream-name.ts';

type OfJobs = Readonly<{ scope: ErasureScope; ids: readonly string[] }>;

/** The dispute about the first of an erasure's jobs that has one at a moment, from the jobs' own streams; null for none. */
export async function findDispute(
  { store }: Pick<Deps, 'store'>,
  { scope, ids }: OfJobs,
  now: Date,
): Promise<Dispute> {
  if (scope !== 'jobs') return null;
  for (const jobId of ids) {
    const events = typedEvents(isJobEvent, await store.readStream(streamName('job', jobId)));
    const dispute = disputeIn(events, now);
    if (dispute) return dispute;
  }
  return null;
}

/** The dispute that a job's events leave at a moment; null for none. */
export function disputeIn(events: readonly RecordedEvent<JobEvent>[], now: Date): Dispute {
  const dispute = events.reduce<Dispute>((one, { event }) => (event ? disputeAfter(one, event) : one), null);
  return isDisputed(dispute, now.toISOString()) ? dispute : null;
}

/** Throws ConflictError, with words for the tradie and the operator, while one of the jobs is in dispute. */
export async function refuseDisputed(deps: Pick<Deps, 'store'>, jobs: OfJobs, now: Date): Promise<void> {
  assertNoDispute(await findDispute(deps, jobs, now), now.toISOString());
}
