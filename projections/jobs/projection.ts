import type { PoolClient } from 'pg';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { isJobEvent } from '#core/job/events.ts';
import { evolveJobDetails, type JobDetails } from '#core/job/view.ts';
import type { Projection, TableNames } from '#projections/runtime/projection.ts';
import { copyRows, foldStreams, upsertStatement } from '#projections/runtime/rows.ts';
import type { Transition } from '#projections/runtime/stream-buffer.ts';
import { searchText } from './search-text.ts';
import {
  countsTable,
  detailsTable,
  firstVersion,
  hasOtherDetails,
  jobsTable,
  searchTable,
  toDetailsRow,
  toJob,
  toJobRow,
  version,
} from './table.ts';

type Moved = readonly Transition<JobDetails>[];

/**
 * What is known of each job, what searches look in, and how many jobs of each status a business has: in one transaction,
 * so that the tables agree at every position.
 */
export const jobsProjection: Projection<JobDetails> = {
  name: 'jobs',
  version,
  since: firstVersion,
  tables: [jobsTable, countsTable, searchTable, detailsTable],
  categories: ['job'],
  replaces: [
    { name: 'job-cards', version: 3, tables: ['job_cards', 'job_counts', 'job_search'] },
    { name: 'job-details', version: 2, tables: ['job_details'] },
    { name: 'held-jobs', version: 1, tables: ['held_jobs'] },
  ],
  async apply(db, table, events, buffer) {
    const moved = await foldStreams(
      { category: 'job', read: (ids) => readJobs(db, table, ids), idOf: ({ id }) => id, evolve },
      events,
      buffer,
    );
    if (buffer) for (const one of moved) buffer.put(one.after.id, one);
    else await write(db, table, moved, moved);
    return moved.map(({ after: { id, businessId } }) => ({ businessId, kind: 'job', id }));
  },
  async writeBuffered(db, table, moved) {
    const fresh = moved.filter(({ before }) => before === undefined);
    const rowsOf = [
      [jobsTable, fresh.map(({ after }) => toJobRow(after))],
      [detailsTable, fresh.map(({ after }) => toDetailsRow(after))],
      [searchTable, searchRows(fresh)],
    ] as const;
    for (const [declared, rows] of rowsOf) await copyRows(db, table(declared.name), declared, rows);
    const rest = moved.filter(({ before }) => before !== undefined);
    await write(db, table, rest, moved);
  },
};

/** The job after an event; the same when the event is no job's, or names another business than the job's. */
function evolve(job: JobDetails | undefined, { event }: RecordedEvent): JobDetails | undefined {
  if (!event || !isJobEvent(event)) return job;
  if (job !== undefined && event.data.businessId !== job.businessId) return job;
  return evolveJobDetails(job ?? null, event) ?? undefined;
}

async function readJobs(
  db: PoolClient,
  table: TableNames,
  ids: readonly string[],
): Promise<Map<string, JobDetails>> {
  const { rows } = await db.query<{ job: Record<string, unknown>; details: Record<string, unknown> }>(
    `select to_json(job) as job, to_json(details) as details
     from ${table(jobsTable.name)} as job join ${table(detailsTable.name)} as details using (business_id, job_id)
     where job_id = any($1)`,
    [ids],
  );
  return new Map(
    rows.map(({ job, details }) => {
      const known = toJob({ ...job, ...details });
      return [known.id, known];
    }),
  );
}

function changesDetails({ before, after }: Moved[number]): boolean {
  return before === undefined || hasOtherDetails(before, after);
}

/** Only where the text is another: its index is the dearest of all to change. */
function searchRows(moved: Moved) {
  return moved.flatMap(({ before, after }) => {
    const search = searchText(after);
    if (before && searchText(before) === search) return [];
    return [{ job_id: after.id, business_id: after.businessId, created_at: after.createdAt, search }];
  });
}

/**
 * All four tables with one statement, and one more where a business has no more jobs of a status. `counted` are the jobs
 * whose counts are to follow: those of `moved`, and those that are written already.
 */
async function write(db: PoolClient, table: TableNames, moved: Moved, counted: Moved): Promise<void> {
  if (counted.length === 0) return;
  const counts = table(countsTable.name);
  const { rows } = await db.query<{ business_id: string; isGone: boolean }>({
    // Named, so that it is read once: no plan of it depends on how full the tables were then.
    name: `write ${counts}`,
    text: `with jobs as (${upsertStatement(table(jobsTable.name), jobsTable, '$1')}),
      details as (${upsertStatement(table(detailsTable.name), detailsTable, '$2')}),
      search as (${upsertStatement(table(searchTable.name), searchTable, '$3')})
      insert into ${counts} as live (business_id, status, held, n)
      select business_id, status, held, n from json_populate_recordset(null::${counts}, $4)
      on conflict (business_id, status, held) do update set n = live.n + excluded.n
      returning business_id, n = 0 as "isGone"`,
    values: [
      moved.map(({ after }) => toJobRow(after)),
      moved.filter(changesDetails).map(({ after }) => toDetailsRow(after)),
      searchRows(moved),
      countMoves(counted),
    ].map((some) => JSON.stringify(some)),
  });
  const gone = rows.filter(({ isGone }) => isGone);
  if (gone.length === 0) return;
  // Without jobs there is no row, as in a table that was built at one go.
  await db.query(`delete from ${counts} where business_id = any($1) and n = 0`, [
    [...new Set(gone.map(({ business_id }) => business_id))],
  ]);
}

/** Counts follow from what happened to rows that this transaction holds, so no event is counted twice. */
function countMoves(moved: Moved) {
  const moves = new Map<string, { business_id: string; status: string; held: boolean; n: number }>();
  const add = ({ businessId, status, heldFor }: JobDetails, n: number) => {
    const held = heldFor !== null;
    const key = `${status} ${held} ${businessId}`;
    const move = moves.get(key);
    if (move) move.n += n;
    else moves.set(key, { business_id: businessId, status, held, n });
  };
  for (const { before, after } of moved) {
    if (before) add(before, -1);
    add(after, 1);
  }
  return [...moves.values()].filter(({ n }) => n !== 0);
}
