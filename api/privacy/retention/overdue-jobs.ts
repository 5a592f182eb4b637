import type { Pool } from 'pg';
import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import { findDispute } from '#api/privacy/disputes/disputes.ts';
import { type RetentionRule, retentionEnd, retentionRule } from '#core/job/retention.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { retentionYears } from '#core/values/stored-details.ts';
import { listRetainedJobs } from '#projections/jobs/erased.ts';

/** A job whose customer's details are stored longer than its rule asks for: ids and moments, no name. */
export type OverdueJob = Readonly<{
  jobId: string;
  businessId: string;
  rule: RetentionRule;
  /** When its last event was, an instant, and its revision. */
  lastChangedAt: string;
  revision: number;
}>;

const PAGE = 500;

/**
 * Finds the jobs whose time of retention is over, page by page, ordered by id; changes nothing. A job's time begins with its last event,
 * so one that is old and still worked on is not among them, nor is one in dispute or of a business on hold. Throws EventStoreUnavailableError.
 */
export async function* findOverdueJobs(
  { store, everyRow, now }: Pick<Deps, 'store' | 'now'> & Readonly<{ everyRow: Pool }>,
  signal?: AbortSignal,
): AsyncGenerator<OverdueJob> {
  const at = now();
  const before = {
    neverAccepted: retentionEnd('never-accepted', at, retentionYears.standard),
    workedOn: retentionEnd('worked-on', at, retentionYears.least),
  };
  const yearsOf = chosenYears(store);
  let after = '';
  for (;;) {
    const jobs = await listRetainedJobs(everyRow, { before, after, limit: PAGE });
    for (const { id, businessId, status, createdAt } of jobs) {
      signal?.throwIfAborted();
      const rule = retentionRule(status);
      const end = retentionEnd(rule, at, await yearsOf(businessId));
      // Without a read of the stream: nothing happens to a job before it is made.
      if (createdAt >= end) continue;
      const last = (await store.readStream(streamName('job', id))).at(-1);
      if (!last || new Date(last.metadata.at) >= end) continue;
      if (await findDispute({ store }, { scope: 'jobs', ids: [id] }, at)) continue;
      const { revision, metadata } = last;
      yield { jobId: id, businessId, rule, lastChangedAt: metadata.at, revision };
    }
    const end = jobs.at(-1);
    if (jobs.length < PAGE || !end) return;
    after = end.id;
  }
}

/** Reads once for each business how many years it chose. */
function chosenYears(store: Deps['store']): (businessId: string) => Promise<number> {
  const known = new Map<string, number>();
  return async (businessId) => {
    const years = known.get(businessId);
    if (years !== undefined) return years;
    const business = await loadBusiness({ store }, businessId);
    const chosen = business?.retentionYears ?? retentionYears.standard;
    known.set(businessId, chosen);
    return chosen;
  };
}
