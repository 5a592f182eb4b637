import type { PoolClient } from 'pg';
import type { Projection, TableNames } from '#projections/runtime/projection.ts';
import { foldRows, type RowFold, type Transition } from '#projections/runtime/rows.ts';
import { searchText } from './search-text.ts';
import { type JobRow, jobColumns, nextFacts, noExtras, toJobFacts, toJobRow } from './table.ts';

const cards: RowFold<JobRow> = {
  table: 'job_cards',
  category: 'job',
  key: 'job_id',
  columns: jobColumns,
  evolve(row, event) {
    const facts = nextFacts(row ? toJobFacts(row, noExtras) : null, event);
    return facts ? toJobRow(facts) : undefined;
  },
};

/** The cards of the job lists, what searches look in, and how many jobs of each status a business has. */
export const jobCards: Projection = {
  name: 'job-cards',
  version: 3,
  tables: ['job_cards', 'job_counts', 'job_search'],
  categories: ['job'],
  async apply(db, table, events) {
    const transitions = await foldRows(db, table, cards, events);
    await moveCounts(db, table, transitions);
    await writeSearch(db, table, transitions);
    return transitions.map(({ after }) => ({ businessId: after.business_id, kind: 'job', id: after.job_id }));
  },
};

/** Only where the text is another: its index is the dearest of all to change. */
async function writeSearch(
  db: PoolClient,
  table: TableNames,
  transitions: readonly Transition<JobRow>[],
): Promise<void> {
  const rows = transitions.flatMap(({ before, after }) => {
    const search = searchText(after);
    if (before && searchText(before) === search) return [];
    const { job_id, business_id, created_at } = after;
    return [{ job_id, business_id, created_at, search }];
  });
  if (rows.length === 0) return;
  await db.query(
    `insert into ${table('job_search')} (job_id, business_id, created_at, search)
     select job_id, business_id, created_at, search
     from json_populate_recordset(null::${table('job_search')}, $1)
     on conflict (job_id) do update set search = excluded.search`,
    [JSON.stringify(rows)],
  );
}

/** Counts follow from what happened to rows that this transaction holds, so no event is counted twice. */
async function moveCounts(
  db: PoolClient,
  table: TableNames,
  transitions: readonly Transition<JobRow>[],
): Promise<void> {
  const moves = countMoves(transitions);
  if (moves.length === 0) return;
  await db.query(
    `insert into ${table('job_counts')} as live (business_id, status, n)
     select business_id, status, n from json_to_recordset($1) as moves(business_id text, status text, n bigint)
     order by business_id, status
     on conflict (business_id, status) do update set n = live.n + excluded.n`,
    [JSON.stringify(moves)],
  );
  // A status without jobs has no row, as in a table that was built at one go.
  await db.query(`delete from ${table('job_counts')} where business_id = any($1) and n = 0`, [
    [...new Set(moves.map(({ business_id }) => business_id))],
  ]);
}

function countMoves(transitions: readonly Transition<JobRow>[]) {
  const businesses = new Map<string, Map<string, number>>();
  const add = ({ business_id, status }: JobRow, n: number) => {
    const statuses = businesses.get(business_id) ?? new Map<string, number>();
    businesses.set(business_id, statuses.set(status, (statuses.get(status) ?? 0) + n));
  };
  for (const { before, after } of transitions) {
    if (before) add(before, -1);
    add(after, 1);
  }
  return [...businesses]
    .flatMap(([business_id, statuses]) => [...statuses].map(([status, n]) => ({ business_id, status, n })))
    .filter(({ n }) => n !== 0);
}
