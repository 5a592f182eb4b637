import type { Pool } from 'pg';
import type { Deps } from '#api/deps.ts';
import type { ErasureState } from '#core/erasure/decider.ts';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { deleteFromEarlierTables, findUnerased, refreshStatistics } from '#projections/jobs/erased.ts';
import { subjectsOf } from './erasures.ts';
import { type Ledger, type LedgerLine, ledgerLock } from './ledger.ts';
import { type Erased, places } from './places.ts';
import { giveErasure, giveJob, type RequestDeps } from './request-erasure.ts';

export type ErasureDeps = RequestDeps &
  Pick<Deps, 'subjectKeys' | 'files' | 'logger'> &
  Readonly<{
    everyRow: Pool;
    ledger: Ledger;
    /** Whether the read models have passed a position, once they had time to. */
    awaitReadModels(position: Position): Promise<boolean>;
  }>;

/** Something is left where everything should be gone, or the read models have not come by: to be tried again. */
export class NotErasedYetError extends OutageError {}

/**
 * Carries out an erasure that is due. Each step bears a repeat, so that a run that was cut off is done again from the beginning:
 * begun; in the ledger, before anything is destroyed; the event by which every reader blanks what it shows; the key; files and
 * rows; a look at all of it; completed. Throws NotErasedYetError where the look finds something, IllegalTransitionError for one that
 * is not due or was taken back.
 */
export async function carryOut(deps: ErasureDeps, erasureId: string): Promise<NonNullable<ErasureState>> {
  const at = deps.now().toISOString();
  const erasure = await giveErasure(deps, { type: 'BeginErasure', at, data: { erasureId } });
  if (erasure.status === 'completed') return erasure;
  await addToLedger(
    deps,
    subjectsOf(erasure).map((subject) => ({ at, erasureId, subject })),
  );
  const counts = await erase(deps, { erasureId, erased: erasedBy(erasure) });
  return giveErasure(deps, {
    type: 'CompleteErasure',
    at: deps.now().toISOString(),
    data: { erasureId, counts },
  });
}

/** Adds lines to the ledger, one process of the installation at a time. */
export async function addToLedger(
  { everyRow, ledger }: Pick<ErasureDeps, 'everyRow' | 'ledger'>,
  lines: readonly LedgerLine[],
): Promise<void> {
  await inTransaction(everyRow, async (db) => {
    await lockUntilCommit(db, ledgerLock);
    await ledger.append(lines);
  });
}

/** What an erasure is about, by what stands in the tables. */
export function erasedBy({ scope, ids }: Pick<NonNullable<ErasureState>, 'scope' | 'ids'>): Erased {
  return { jobIds: scope === 'jobs' ? ids : [], demoIds: scope === 'demo' ? ids : [] };
}

/** All steps between the ledger and the end; answers by place how much was cleared. Throws NotErasedYetError. */
export async function erase(
  deps: ErasureDeps,
  { erasureId, erased }: Readonly<{ erasureId: string; erased: Erased }>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const add = (place: string, n: number) => {
    counts[place] = (counts[place] ?? 0) + n;
  };
  let last: Position = START;
  for (const jobId of erased.jobIds) {
    const at = deps.now().toISOString();
    const position = await giveJob(deps, { type: 'EraseCustomer', jobId, erasureId }, at);
    if (position !== null && comparePositions(position, last) > 0) last = position;
  }
  const subjects = [
    ...subjectsOf({ scope: 'jobs', ids: erased.jobIds }),
    ...subjectsOf({ scope: 'demo', ids: erased.demoIds }),
  ];
  add('state.subject_keys', await deps.subjectKeys.destroy(...subjects));
  await clearPlaces(deps, erased, add);
  if (!(await deps.awaitReadModels(last))) throw new NotErasedYetError('the read models are behind');
  // Once more: a message or a small picture may have been on its way when the first look passed.
  await clearPlaces(deps, erased, add);
  const remains = await findRemains(deps, erased);
  if (remains.length > 0) {
    const left = [...new Set(remains.map(({ place }) => place))];
    deps.logger.error({ event: 'erasure-incomplete', erasure: erasureId, places: left });
    throw new NotErasedYetError(`something is left in ${left.join(', ')}`);
  }
  await refreshStatistics(deps.everyRow);
  return counts;
}

async function clearPlaces(
  deps: ErasureDeps,
  erased: Erased,
  add: (place: string, n: number) => void,
): Promise<void> {
  add('state.files', await deleteFiles(deps, erased.jobIds));
  add('read.earlier', await deleteFromEarlierTables(deps.everyRow, erased.jobIds));
  for (const { table, clear } of places) if (clear) add(table, await clear(deps.everyRow, erased));
}

/**
 * Bytes first, so that a crash between leaves a row to come back to. The small picture after its file: one that is made
 * meanwhile finds its file gone and removes itself.
 */
async function deleteFiles(
  { everyRow, files, subjectKeys }: ErasureDeps,
  jobIds: readonly string[],
): Promise<number> {
  const { rows } = await everyRow.query<{ id: string; own: string | null }>(
    `select id, case when sealed_for = 'upload-' || id then sealed_for end as own from state.files
     where job_id = any($1) and kind <> 'logo' order by id`,
    [jobIds],
  );
  for (const { id, own } of rows) {
    await files.remove(`media/${id}`);
    await files.remove(`thumbs/${id}`);
    if (own !== null) await subjectKeys.destroy(own);
    await everyRow.query('delete from state.files where id = $1', [id]);
  }
  return rows.length;
}

/** A place of `places.ts` that still holds something of a subject. */
export type Remains = Readonly<{ place: string; subject: string }>;

/** What is left of these subjects; nothing once all is done. A subject whose key is not destroyed counts, made or not. */
export async function findRemains(
  { everyRow }: Pick<ErasureDeps, 'everyRow'>,
  { jobIds, demoIds }: Erased,
): Promise<Remains[]> {
  const { rows } = await everyRow.query<Remains>(
    `select 'state.subject_keys' as place, wanted.subject from unnest($3::text[]) as wanted(subject)
       where not exists (select from state.subject_keys k where k.subject = wanted.subject and k.wrapped_key is null)
     union select 'state.files', 'customer-' || job_id from state.files where job_id = any($1)
     union select 'state.answer_links', 'customer-' || job_id from state.answer_links
       where job_id = any($1) and kind <> 'privacy'
     union select 'state.intake', 'customer-' || job_id from state.intake where job_id = any($1)
     union select 'state.outbox', coalesce('customer-' || job_id, 'demo-' || (data->>'demoId')) from state.outbox
       where (job_id = any($1) or data->>'demoId' = any($2)) and delivery_status in ('waiting', 'held', 'dead')`,
    [jobIds, demoIds, [...jobIds.map((id) => `customer-${id}`), ...demoIds.map((id) => `demo-${id}`)]],
  );
  const unerased = await findUnerased(everyRow, jobIds);
  return [...rows, ...unerased.map((id) => ({ place: 'read.jobs', subject: `customer-${id}` }))];
}
