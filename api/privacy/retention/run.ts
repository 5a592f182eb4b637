import type { Pool } from 'pg';
import { loadBusiness } from '#api/accounts/load-account.ts';
import type { Deps } from '#api/deps.ts';
import type { GaugeDeclaration } from '#api/http/health/metrics.ts';
import { findDispute } from '#api/privacy/disputes/disputes.ts';
import { type RequestDeps, requestErasure } from '#api/privacy/request-erasure.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import { type RetentionRule, retentionEnd, retentionRule } from '#core/job/retention/periods.ts';
import { ConflictError } from '#core/kernel/errors.ts';
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
  page = PAGE,
): AsyncGenerator<OverdueJob> {
  const at = now();
  const before = {
    neverAccepted: retentionEnd('never-accepted', at, retentionYears.standard),
    workedOn: retentionEnd('worked-on', at, retentionYears.least),
  };
  const yearsOf = chosenYears(store);
  let after = '';
  for (;;) {
    const jobs = await listRetainedJobs(everyRow, { before, after, limit: page });
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
    if (jobs.length < page || !end) return;
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

/** The most removals that one run asks for. */
export const mostOfARun = 1_000;

/** From this hour of UTC on a run of the night may begin: it is one at night in Sydney, three in Auckland. */
const NIGHT = 15;

export type RetentionDeps = RequestDeps & Readonly<{ everyRow: Pool }>;

/** What a run found, by rule, and for how many of those a removal was asked for. */
export type RetentionRun = Readonly<{
  found: Readonly<Record<RetentionRule, number>>;
  requested: number;
  /** It only reported: that is asked for, or no run came before it. */
  isReport: boolean;
}>;

/**
 * Looks for details that are stored longer than needed and, with `acts`, asks for the removal of at most `most` of them: each
 * is due after the usual grace, in which its business can take it back. The first run of an installation only reports. Answers null
 * where another process makes the run of that night. Throws EventStoreUnavailableError.
 */
export async function runRetention(
  deps: RetentionDeps,
  {
    acts,
    night = null,
    most = mostOfARun,
  }: Readonly<{ acts: boolean; night?: string | null; most?: number }>,
  signal?: AbortSignal,
): Promise<RetentionRun | null> {
  const { everyRow } = deps;
  const beganAt = deps.now();
  const { rows: earlier } = await everyRow.query(
    'select 1 from state.retention_runs where finished_at is not null limit 1',
  );
  const isReport = !acts || earlier.length === 0;
  const begun = await everyRow.query(
    'insert into state.retention_runs (began_at, night) values ($1, $2) on conflict do nothing',
    [beganAt, night],
  );
  if (begun.rowCount === 0) return null;
  const found = { 'never-accepted': 0, 'worked-on': 0 };
  let requested = 0;
  for await (const job of findOverdueJobs(deps, signal)) {
    found[job.rule] += 1;
    // What is beyond that waits for the next night, and is counted all the same.
    if (!isReport && requested < most && (await removeOverdue(deps, job))) requested += 1;
  }
  await everyRow.query(
    `update state.retention_runs set finished_at = $2, never_accepted = $3, worked_on = $4, requested = $5
     where began_at = $1`,
    [beganAt, deps.now(), found['never-accepted'], found['worked-on'], requested],
  );
  return { found, requested, isReport };
}

/** Whether a removal was asked for; of one whose dispute began meanwhile it is not. */
async function removeOverdue(
  deps: RetentionDeps,
  { jobId, businessId, revision }: OverdueJob,
): Promise<boolean> {
  try {
    await requestErasure(deps, {
      erasureId: uuidV5(jobId, `not needed any more after ${revision}`),
      ...{ scope: 'jobs', basis: 'retention', businessId, ids: [jobId] },
    });
    return true;
  } catch (error) {
    if (error instanceof ConflictError) return false;
    throw error;
  }
}

/** The run of the night, once in each, unless `RETENTION` is off. */
export async function retainNightly(
  deps: RetentionDeps & Pick<Deps, 'config' | 'logger'>,
  signal?: AbortSignal,
): Promise<void> {
  const { retention } = deps.config;
  const now = deps.now();
  if (retention === 'off' || now.getUTCHours() < NIGHT) return;
  const run = await runRetention(
    deps,
    { acts: retention === 'on', night: now.toISOString().slice(0, 10) },
    signal,
  );
  if (run === null) return;
  const { found, requested, isReport } = run;
  deps.logger.info({ event: 'retention-run', ...found, requested, onlyReported: isReport });
}

/** How many jobs the last run found whose customers' details are stored longer than needed. */
export function retentionGauges({ db }: Pick<Deps, 'db'>): GaugeDeclaration[] {
  return [
    {
      name: 'ute_retention_overdue_jobs',
      help: 'Jobs whose details are stored longer than needed, as the last run found them',
      labelNames: ['rule'],
      read: async () => {
        const { rows } = await db.query<{ neverAccepted: number; workedOn: number }>(
          `select never_accepted as "neverAccepted", worked_on as "workedOn" from state.retention_runs
           where finished_at is not null order by began_at desc limit 1`,
        );
        return rows.flatMap(({ neverAccepted, workedOn }) => [
          { labels: { rule: 'never-accepted' }, value: neverAccepted },
          { labels: { rule: 'worked-on' }, value: workedOn },
        ]);
      },
    },
  ];
}
