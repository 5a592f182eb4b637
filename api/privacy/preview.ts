import type { Pool } from 'pg';
import { countSamples, findUnerased } from '#projections/jobs/erased.ts';
import { type ErasureDeps, findRemains } from './carry-out.ts';
import type { Erased } from './places.ts';

/** What an erasure would remove, and what went out already and is out of reach. */
export type Preview = Readonly<{
  keys: number;
  jobs: number;
  files: number;
  links: number;
  waitingMessages: number;
  sentMessages: number;
}>;

/** Counts what an erasure would find now; changes nothing. */
export async function previewErasure(everyRow: Pool, { jobIds, demoIds }: Erased): Promise<Preview> {
  const { rows } = await everyRow.query<Omit<Preview, 'jobs'>>(
    `select
       (select count(*)::int from state.subject_keys where subject = any($3) and wrapped_key is not null) as keys,
       (select count(*)::int from state.files where job_id = any($1)) as files,
       (select count(*)::int from state.answer_links where job_id = any($1) and kind <> 'privacy') as links,
       (select count(*)::int from state.outbox where (job_id = any($1) or data->>'demoId' = any($2))
          and delivery_status in ('waiting', 'held', 'dead')) as "waitingMessages",
       (select count(*)::int from state.outbox where (job_id = any($1) or data->>'demoId' = any($2))
          and delivery_status = 'sent') as "sentMessages"`,
    [jobIds, demoIds, [...jobIds.map((id) => `customer-${id}`), ...demoIds.map((id) => `demo-${id}`)]],
  );
  const [counted] = rows;
  if (!counted) throw new TypeError('counts have one row');
  return { ...counted, jobs: (await findUnerased(everyRow, jobIds)).length };
}

/**
 * Where something is left of a completed erasure, in words; nothing where all is well. Looks at tables, keys, samples of the planner
 * and the ledger.
 */
export async function verifyErasure(
  deps: Pick<ErasureDeps, 'everyRow' | 'ledger'>,
  erased: Erased,
): Promise<string[]> {
  const { jobIds, demoIds } = erased;
  const found = (await findRemains(deps, erased)).map(({ place, subject }) => `${place} holds ${subject}`);
  const samples = await countSamples(deps.everyRow);
  const ledger = await deps.ledger.read();
  const named = new Set(ledger?.lines.map(({ subject }) => subject));
  const subjects = [...jobIds.map((id) => `customer-${id}`), ...demoIds.map((id) => `demo-${id}`)];
  return [
    ...found,
    ...(samples > 0 ? [`pg_stats has samples of ${samples} columns with texts`] : []),
    ...(ledger?.isWhole ? [] : ['the ledger is not whole']),
    ...subjects
      .filter((subject) => !named.has(subject))
      .map((subject) => `the ledger does not name ${subject}`),
  ];
}
