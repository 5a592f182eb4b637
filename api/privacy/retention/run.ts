import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import type { GaugeDeclaration } from '#api/http/health/metrics.ts';
import { type RequestDeps, requestErasure } from '#api/privacy/request-erasure.ts';
import { uuidV5 } from '#core/event-store/uuid.ts';
import type { RetentionRule } from '#core/job/retention.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { findOverdueJobs, type OverdueJob } from './overdue-jobs.ts';

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
 * Looks for details that are stored longer than needed and, with `acts`, asks for the removal of at most `mostOfARun` of them: each
 * is due after the usual grace, in which its business can take it back. The first run of an installation only reports. Answers null
 * where another process makes the run of that night. Throws EventStoreUnavailableError.
 */
export async function runRetention(
  deps: RetentionDeps,
  { acts, night = null }: Readonly<{ acts: boolean; night?: string | null }>,
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
    if (!isReport && requested < mostOfARun && (await removeOverdue(deps, job))) requested += 1;
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
