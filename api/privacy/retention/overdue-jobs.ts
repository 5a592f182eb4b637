import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import { type RetentionRule, retentionEnd, retentionRule } from '#core/job/retention.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { listRetainedJobs } from '#projections/jobs/erased.ts';
import { findDispute } from '../disputes/disputes.ts';

/** A job whose customer's details are stored longer than its rule asks for: ids and moments, no name. */
export type OverdueJob = Readonly<{
  jobId: string;
  businessId: string;
  rule: RetentionRule;
  /** When its last event was, an instant. */
  lastChangedAt: string;
}>;

const PAGE = 500;

/**
 * Finds the jobs whose time of retention is over, page by page, ordered by id; changes nothing. A job's time begins with its last event,
 * so one that is old and still worked on is not among them, nor is one in dispute. Throws EventStoreUnavailableError.
 */
export async function* findOverdueJobs(
  { store, everyRow, now }: Pick<Deps, 'store' | 'now'> & Readonly<{ everyRow: Pool }>,
  signal?: AbortSignal,
): AsyncGenerator<OverdueJob> {
  const at = now();
  const ends = {
    'never-accepted': retentionEnd('never-accepted', at),
    'worked-on': retentionEnd('worked-on', at),
  };
  let after = '';
  for (;;) {
    const jobs = await listRetainedJobs(everyRow, { before: ends['never-accepted'], after, limit: PAGE });
    for (const { id, businessId, status, createdAt } of jobs) {
      signal?.throwIfAborted();
      const rule = retentionRule(status);
      // Without a read of the stream: nothing happens to a job before it is made.
      if (createdAt >= ends[rule]) continue;
      if (await findDispute({ store }, { scope: 'jobs', ids: [id] }, at)) continue;
      const last = (await store.readStream(streamName('job', id))).at(-1);
      if (last && new Date(last.metadata.at) < ends[rule])
        yield { jobId: id, businessId, rule, lastChangedAt: last.metadata.at };
    }
    const end = jobs.at(-1);
    if (jobs.length < PAGE || !end) return;
    after = end.id;
  }
}
