import type { Pool } from 'pg';
import { countCustomersOf, countSamples, findUnerased } from '#projections/jobs/erased.ts';
import { addToLedger, type ErasureDeps, erase, findRemains } from './carry-out.ts';
import { subjectsOf } from './closing.ts';
import type { LedgerLine } from './ledger.ts';
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

const AT_ONCE = 5_000;

/**
 * Erases whom the ledger names and the database does not know as erased: after a restore everybody is back whom an older copy
 * knew. Makes the ledger where there is none. To be awaited before a process serves or sends. Answers how many it erased; logs
 * `erasure-ledger-broken` where lines were changed or are missing, and applies the ones that are there all the same.
 */
export async function applyLedger(deps: ErasureDeps): Promise<number> {
  await addToLedger(deps, []);
  const { lines, isWhole } = (await deps.ledger.read()) ?? { lines: [], isWhole: false };
  if (!isWhole) deps.logger.error({ event: 'erasure-ledger-broken', file: deps.ledger.file });
  let erased = 0;
  for (let begin = 0; begin < lines.length; begin += AT_ONCE) {
    const back = await stillThere(deps, lines.slice(begin, begin + AT_ONCE));
    for (const [erasureId, subjects] of Map.groupBy(back, (line) => line.erasureId)) {
      await erase(deps, { erasureId, erased: erasedOf(subjects) });
      erased += subjects.length;
    }
  }
  if (erased > 0) deps.logger.warn({ event: 'erasures-repeated', subjects: erased });
  return erased;
}

/** Those of a ledger of whom something is there all the same: a key, or rows of an older copy of the database. Changes nothing. */
export async function stillThere(
  deps: Parameters<typeof findRemains>[0],
  lines: readonly LedgerLine[],
): Promise<LedgerLine[]> {
  const found = new Set((await findRemains(deps, erasedOf(lines))).map(({ subject }) => subject));
  return lines.filter(({ subject }) => found.has(subject));
}

function erasedOf(lines: readonly LedgerLine[]): Erased {
  return {
    ...{ jobIds: idsOf(lines, 'customer-'), demoIds: idsOf(lines, 'demo-') },
    ...{ accountIds: idsOf(lines, 'account-'), businessIds: idsOf(lines, 'business-') },
  };
}

function idsOf(lines: readonly LedgerLine[], prefix: string): string[] {
  return lines.flatMap(({ subject }) => (subject.startsWith(prefix) ? [subject.slice(prefix.length)] : []));
}
