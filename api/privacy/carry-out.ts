import type { Pool, PoolClient } from 'pg';
import type { Deps } from '#api/deps.ts';
import type { ErasureState } from '#core/erasure/decider.ts';
import { comparePositions, type Position, START } from '#core/event-store/port.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { pause } from '#core/kernel/pause.ts';
import { lockUntilCommit } from '#core/postgres/locks.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { deleteFromEarlierAccounts, findUnclosed } from '#projections/accounts/read.ts';
import {
  deleteFromEarlierTables,
  findBusinessesWithCustomers,
  findUnerased,
  listJobIds,
  refreshStatistics,
} from '#projections/jobs/erased.ts';
import { closeAll, erasedBy, subjectsOf } from './closing.ts';
import { type Ledger, type LedgerLine, ledgerLock } from './ledger.ts';
import { bound, clearPlace, type Erased, findInPlaces, places, type Remains } from './places.ts';
import { giveErasure, giveJob, type RequestDeps } from './request-erasure.ts';

export type ErasureDeps = RequestDeps &
  Pick<Deps, 'subjectKeys' | 'files' | 'logger'> &
  Readonly<{
    everyRow: Pool;
    ledger: Ledger;
    /** Whether the read models have passed a position, once they had time to. */
    awaitReadModels(position: Position): Promise<boolean>;
    /** Aborted when the process stops: what is not done then is gone on with by the next run. */
    signal?: AbortSignal;
  }>;

/** Something is left where everything should be gone, or the read models have not come by: to be tried again. */
export class NotErasedYetError extends OutageError {}

/** Jobs of a business that are erased in one go, those of them at once, and the rest after each page, in milliseconds. */
const PAGE = 500;
const AT_ONCE = 4;
const REST = 20;

type Add = (place: string, n: number) => void;
type Erasing = Readonly<{ erasureId: string; erased: Erased }>;

/**
 * Carries out an erasure that is due. Each step bears a repeat, so that a run that was cut off is done again from the beginning:
 * begun; in the ledger, before anything is destroyed; the events by which every reader blanks what it shows; the keys; files and
 * rows; a look at all of it; completed. Throws NotErasedYetError where the look finds something, IllegalTransitionError for one that
 * is not due or was taken back.
 */
export async function carryOut(deps: ErasureDeps, erasureId: string): Promise<NonNullable<ErasureState>> {
  const at = deps.now().toISOString();
  const erasure = await giveErasure(deps, { type: 'BeginErasure', at, data: { erasureId } });
  if (erasure.status === 'completed') return erasure;
  const erased = await erasedBy(deps, erasure);
  await addToLedger(
    deps,
    subjectsOf(erased).map((subject) => ({ at, erasureId, subject })),
  );
  const counts = await erase(deps, { erasureId, erased });
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

/** All steps between the ledger and the end; answers by place how much was cleared. Throws NotErasedYetError. */
export async function erase(deps: ErasureDeps, erasing: Erasing): Promise<Record<string, number>> {
  const { erasureId, erased } = erasing;
  const counts: Record<string, number> = {};
  const add: Add = (place, n) => {
    counts[place] = (counts[place] ?? 0) + n;
  };
  // What is closed is written by no session from here on.
  for (const place of places)
    if (/sessions|credentials/.test(place.table))
      add(place.table, await clearPlace(deps.everyRow, place, erased));
  const closedAt = await closeAll(deps, erasureId, erased);
  const erasedAt = await eraseJobs(deps, erasureId, erased.jobIds);
  let last = comparePositions(closedAt, erasedAt) > 0 ? closedAt : erasedAt;
  for (const businessId of erased.businessIds ?? []) {
    const position = await eraseJobsOfBusiness(deps, { erasureId, businessId }, add);
    if (comparePositions(position, last) > 0) last = position;
  }
  add('state.subject_keys', await deps.subjectKeys.destroy(...subjectsOf(erased)));
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

/** The events on these jobs; answers where the last of them stands. */
async function eraseJobs(
  deps: ErasureDeps,
  erasureId: string,
  jobIds: readonly string[],
  businessId?: string,
): Promise<Position> {
  let last: Position = START;
  for (let begin = 0; begin < jobIds.length; begin += AT_ONCE) {
    const at = deps.now().toISOString();
    const positions = await Promise.all(
      jobIds
        .slice(begin, begin + AT_ONCE)
        .map((jobId) => giveJob(deps, { type: 'EraseCustomer', jobId, erasureId, businessId }, at)),
    );
    for (const position of positions)
      if (position !== null && comparePositions(position, last) > 0) last = position;
  }
  return last;
}

/**
 * The customers of all jobs of a business, in pages: no run holds anything longer than one append, and one that was cut off passes over
 * what is done.
 */
async function eraseJobsOfBusiness(
  deps: ErasureDeps,
  { erasureId, businessId }: Readonly<{ erasureId: string; businessId: string }>,
  add: Add,
): Promise<Position> {
  let last: Position = START;
  for (let after = ''; ; ) {
    if (deps.signal?.aborted) throw new NotErasedYetError('the process stops');
    const jobIds = await listJobIds(deps.everyRow, businessId, { after, limit: PAGE });
    const page = { jobIds, demoIds: [] };
    const left = new Set((await findRemains(deps, page)).map(({ subject }) => subject));
    const todo = jobIds.filter((id) => left.has(`customer-${id}`));
    if (todo.length > 0) {
      const position = await eraseJobs(deps, erasureId, todo, businessId);
      if (comparePositions(position, last) > 0) last = position;
      add('state.subject_keys', await deps.subjectKeys.destroy(...todo.map((id) => `customer-${id}`)));
      await clearPlaces(deps, page, add);
      await pause(REST);
    }
    after = jobIds.at(-1) ?? '';
    if (jobIds.length < PAGE) return last;
  }
}

async function clearPlaces(deps: ErasureDeps, erased: Erased, add: Add): Promise<void> {
  add('state.files', await deleteFiles(deps, erased));
  add('read.earlier', await deleteFromEarlierTables(deps.everyRow, erased.jobIds));
  const { accountIds = [], businessIds = [] } = erased;
  if (accountIds.length + businessIds.length > 0)
    add('read.earlier', await deleteFromEarlierAccounts(deps.everyRow, { accountIds, businessIds }));
  for (const place of places)
    if (place.holds) add(place.table, await clearPlace(deps.everyRow, place, erased));
}

const ofFiles = `((job_id = any(:jobs) and kind <> 'logo') or business_id = any(:businesses))`;

/**
 * Bytes first, so that a crash between leaves a row to come back to. The small picture after its file: one that is made
 * meanwhile finds its file gone and removes itself.
 */
async function deleteFiles({ everyRow, files, subjectKeys }: ErasureDeps, erased: Erased): Promise<number> {
  const { rows } = await everyRow.query<{ id: string; isLogo: boolean; own: string | null }>(
    bound(
      `select id, kind = 'logo' as "isLogo", case when sealed_for = 'upload-' || id then sealed_for end as own
       from state.files where ${ofFiles} order by id`,
      erased,
    ),
  );
  for (const { id, isLogo, own } of rows) {
    await files.remove(`${isLogo ? 'logos' : 'media'}/${id}`);
    if (!isLogo) await files.remove(`thumbs/${id}`);
    if (own !== null) await subjectKeys.destroy(own);
    await everyRow.query('delete from state.files where id = $1', [id]);
  }
  return rows.length;
}

/** What is left of these subjects; nothing once all is done. A subject whose key is not destroyed counts, made or not. */
export async function findRemains(
  { everyRow }: Readonly<{ everyRow: Pool | PoolClient }>,
  erased: Erased,
): Promise<Remains[]> {
  const { rows: keys } = await everyRow.query<Remains>(
    `select 'state.subject_keys' as place, wanted.subject from unnest($1::text[]) as wanted(subject)
     where not exists (select from state.subject_keys k where k.subject = wanted.subject and k.wrapped_key is null)`,
    [subjectsOf(erased)],
  );
  const { rows: files } = await everyRow.query<Remains>(
    bound(
      `select distinct 'state.files' as place,
         case when job_id = any(:jobs) then 'customer-' || job_id else 'business-' || business_id end as subject
       from state.files where ${ofFiles}`,
      erased,
    ),
  );
  const unerased = await findUnerased(everyRow, erased.jobIds);
  return [
    ...keys,
    ...files,
    ...(await findInPlaces(everyRow, erased)),
    ...unerased.map((id) => ({ place: 'read.jobs', subject: `customer-${id}` })),
    ...(await findOpen(everyRow, erased)),
  ];
}

async function findOpen(
  db: Pool | PoolClient,
  { accountIds = [], businessIds = [] }: Erased,
): Promise<Remains[]> {
  if (accountIds.length + businessIds.length === 0) return [];
  const withCustomers = await findBusinessesWithCustomers(db, businessIds);
  return [
    ...(await findUnclosed(db, { accountIds, businessIds })),
    ...withCustomers.map((id) => ({ place: 'read.jobs', subject: `business-${id}` })),
  ];
}
