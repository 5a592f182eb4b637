import type { Pool } from 'pg';
import { countCustomersOf, countSamples, findUnerased } from '#projections/jobs/erased.ts';
import { type ErasureDeps, findRemains } from './carry-out.ts';
import { subjectsOf } from './closing.ts';
import { bound, type Erased, ofMessages } from './places.ts';

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
export async function previewErasure(everyRow: Pool, erased: Erased): Promise<Preview> {
  const { jobIds, businessIds = [] } = erased;
  const { rows } = await everyRow.query<Omit<Preview, 'jobs' | 'keys'>>(
    bound(
      `select
         (select count(*)::int from state.files where job_id = any(:jobs) or business_id = any(:businesses)) as files,
         (select count(*)::int from state.answer_links where (job_id = any(:jobs) and kind <> 'privacy')
            or business_id = any(:businesses)) as links,
         (select count(*)::int from state.outbox where ${ofMessages} and delivery_status in ('waiting', 'held', 'dead'))
           as "waitingMessages",
         (select count(*)::int from state.outbox where ${ofMessages} and delivery_status = 'sent') as "sentMessages"`,
      erased,
    ),
  );
  const { rows: keys } = await everyRow.query<{ keys: number }>(
    'select count(*)::int as keys from state.subject_keys where subject = any($1) and wrapped_key is not null',
    [subjectsOf(erased)],
  );
  const [counted, counts] = [rows[0], keys[0]];
  if (!counted || !counts) throw new TypeError('counts have one row');
  const ofBusinesses = await countCustomersOf(everyRow, businessIds);
  const jobs = (await findUnerased(everyRow, jobIds)).length + ofBusinesses;
  return { keys: counts.keys + ofBusinesses, ...counted, jobs };
}

/**
 * Where something is left of a completed erasure, in words; nothing where all is well. Looks at tables, keys, samples of the planner
 * and the ledger.
 */
export async function verifyErasure(
  deps: Pick<ErasureDeps, 'everyRow' | 'ledger'>,
  erased: Erased,
): Promise<string[]> {
  const found = (await findRemains(deps, erased)).map(({ place, subject }) => `${place} holds ${subject}`);
  const samples = await countSamples(deps.everyRow);
  const ledger = await deps.ledger.read();
  const named = new Set(ledger?.lines.map(({ subject }) => subject));
  return [
    ...found,
    ...(samples > 0 ? [`pg_stats has samples of ${samples} columns with texts`] : []),
    ...(ledger?.isWhole ? [] : ['the ledger is not whole']),
    ...subjectsOf(erased)
      .filter((subject) => !named.has(subject))
      .map((subject) => `the ledger does not name ${subject}`),
  ];
}
