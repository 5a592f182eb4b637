import type { PoolClient } from 'pg';
import type { Position, RecordedEvent } from '#core/event-store/port.ts';
import { isJobEvent } from '#core/job/job.ts';
import { evolveJobDetails, type JobDetails } from '#core/job/view.ts';
import { jobReference } from '#core/values/job-form.ts';
import {
  type EndBatch,
  ifMoved,
  type LastWrite,
  type Projection,
  type TableNames,
  type Transition,
  writeApart,
} from '#projections/runtime/projection.ts';
import { copyRows, foldStreams, upsertStatement } from '#projections/runtime/rows.ts';
import type { Table } from '#projections/runtime/table.ts';
import { searchText } from './search-text.ts';
import { OPEN, type SpanRow, type Spans, spansAfter, spansTable } from './spans.ts';
import {
  countsTable,
  detailsTable,
  hasOtherDetails,
  jobsTable,
  searchTable,
  toDetailsRow,
  toJob,
  toJobRow,
  version,
} from './table.ts';

/** A job, and its spans. */
type KnownJob = JobDetails & Readonly<{ spans: Spans }>;
type Moved = readonly Transition<KnownJob>[];

/**
 * What is known of each job, what searches look in, how many jobs of each status a business has, and how each stood before: in one
 * transaction, so that the tables agree at every position.
 */
export const jobsProjection: Projection<KnownJob> = {
  name: 'jobs',
  version,
  tables: [jobsTable, countsTable, searchTable, detailsTable, spansTable],
  categories: ['job'],
  endsBatches: true,
  async apply(db, table, events, buffer, end) {
    const moved = await foldStreams(
      { category: 'job', read: (ids) => readJobs(db, table, ids), idOf: ({ id }) => id, evolve },
      events,
      buffer,
    );
    const changes = moved.map(({ after: { id, businessId } }) => ({ businessId, kind: 'job', id }) as const);
    if (buffer) for (const one of moved) buffer.put(one.after.id, one);
    else if (moved.length > 0) await (end ?? apart(db))(writeOf(table, moved, moved), changes);
    return changes;
  },
  async writeBuffered(db, table, moved) {
    const fresh = moved.filter(({ before }) => before === undefined);
    const rowsOf = [
      [jobsTable, fresh.map(({ after }) => toJobRow(after))],
      [detailsTable, fresh.map(({ after }) => toDetailsRow(after))],
      [searchTable, searchRows(fresh)],
      [spansTable, spanRows(fresh)],
    ] as const;
    for (const [declared, rows] of rowsOf) await copyRows(db, table(declared.name), declared, rows);
    const rest = moved.filter(({ before }) => before !== undefined);
    if (moved.length > 0) await writeApart(db, writeOf(table, rest, moved));
  },
};

const apart =
  (db: PoolClient): EndBatch =>
  (write) =>
    writeApart(db, write);

/** The job after an event; the same when the event is no job's, or names another business than the job's. */
function evolve(job: KnownJob | undefined, recorded: RecordedEvent): KnownJob | undefined {
  const { event } = recorded;
  if (!event || !isJobEvent(event)) return job;
  if (job !== undefined && event.data.businessId !== job.businessId) return job;
  const after = evolveJobDetails(job ?? null, event);
  return after ? { ...after, spans: spansAfter(job?.spans ?? [], after, recorded) } : undefined;
}

async function readJobs(
  db: PoolClient,
  table: TableNames,
  ids: readonly string[],
): Promise<Map<string, KnownJob>> {
  // The newest span is the open one. Read in the order of the key: without statistics a plan by what is open reads that of the
  // whole business for each job.
  const { rows } = await db.query<{
    job: Record<string, unknown>;
    details: Record<string, unknown>;
    span: SpanRow;
    since: Position;
  }>(
    `select to_json(job) as job, to_json(details) as details, to_json(span) as span, span.valid_from::text as since
     from ${table(jobsTable.name)} as job join ${table(detailsTable.name)} as details using (business_id, job_id)
       cross join lateral (
         select * from ${table(spansTable.name)} as spans
         where spans.job_id = job.job_id and spans.business_id = job.business_id
         order by from_revision desc limit 1
       ) as span
     where job.job_id = any($1) and span.valid_to = ${OPEN}`,
    [ids],
  );
  return new Map(
    rows.map(({ job, details, span, since }) => {
      const known = toJob({ ...job, ...details });
      return [known.id, { ...known, spans: [{ ...span, valid_from: since, valid_to: OPEN }] }];
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
    const { id, businessId, createdAt } = after;
    return [
      { job_id: id, business_id: businessId, created_at: createdAt, search, reference: jobReference(id) },
    ];
  });
}

function spanRows(moved: Moved): SpanRow[] {
  return moved.flatMap(({ before, after }) => (before?.spans === after.spans ? [] : after.spans));
}

/**
 * Writes all five tables. `counted` are the jobs whose counts are to follow: those of `moved`, and those that are written
 * already. A business without jobs of a status has no row for it, as in a table that was built at one go.
 */
function writeOf(table: TableNames, moved: Moved, counted: Moved): LastWrite {
  const counts = table(countsTable.name);
  const upsert = (declared: Table, parameter: string) =>
    upsertStatement(table(declared.name), declared, parameter, ifMoved);
  return {
    name: `write ${counts}`,
    queries: [
      `jobs as (${upsert(jobsTable, '$1')})`,
      `details as (${upsert(detailsTable, '$2')})`,
      `search as (${upsert(searchTable, '$3')})`,
      `spans as (${upsert(spansTable, '$5')})`,
      `counted as (
        select business_id, status, held, moves.n, coalesce(live.n, 0) + moves.n as total
        from json_populate_recordset(null::${counts}, $4) as moves
          left join ${counts} as live using (business_id, status, held))`,
      `gone as (
        delete from ${counts} as live using counted
        where (live.business_id, live.status, live.held) = (counted.business_id, counted.status, counted.held)
          and total = 0 and ${ifMoved})`,
      `added as (
        insert into ${counts} as live (business_id, status, held, n)
        select business_id, status, held, n from counted where total <> 0 and ${ifMoved}
        on conflict (business_id, status, held) do update set n = live.n + excluded.n)`,
    ],
    values: [
      moved.map(({ after }) => toJobRow(after)),
      moved.filter(changesDetails).map(({ after }) => toDetailsRow(after)),
      searchRows(moved),
      countMoves(counted),
      spanRows(moved),
    ].map((some) => JSON.stringify(some)),
  };
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
