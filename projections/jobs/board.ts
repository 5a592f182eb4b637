import type { Pool, QueryResultRow } from 'pg';
import type { Position } from '#core/event-store/port.ts';
import { type JobSort, type JobStatus, statusesOf } from '#core/job/status/statuses.ts';
import { type JobCardView, jobCardView } from '#core/job/view.ts';
import { withholdsContact } from '#core/job/withheld-fields.ts';
import { plannedEachTime } from '#core/postgres/statement.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import type { CountedJobs } from './list.ts';
import { dayWindow, scheduleDays } from './schedule.ts';
import { cardColumns, type JobCard, jobTables, toCard } from './table.ts';

/** Whose jobs, as they stood after the event at a position of the log; `now` is the moment of which that is. */
export type BoardQuery = Readonly<{ businessId: string; timeZone: string; now: Date; position: Position }>;

export type BoardListQuery = BoardQuery &
  Readonly<{
    /** Empty: any status. */
    statuses: readonly JobStatus[];
    /** What was on the schedule then: from 90 days before the moment to 89 days after, but Rejected. */
    today: boolean;
    sort: JobSort;
    dir: 'asc' | 'desc';
    /** From 1 on. */
    page: number;
    limit: number;
  }>;

/** How a page and the rows of it are ordered, by the columns of `of`. */
function orderOf(sort: JobSort, dir: 'asc' | 'desc', of: string): string {
  const isDown = dir === 'desc';
  const way = isDown ? ' desc' : '';
  return sort === 'createdAt'
    ? `${of}.created_at${way}, ${of}.job_id${way}`
    : `${of}.scheduled_at${isDown ? ' desc nulls last' : ' nulls first'}, ${of}.job_id${way}`;
}

/** Planned for its values, as what follows: of an old moment most spans are left over, of a young one few. */
const VALID = 'business_id = $1 and valid_to > $2 and valid_from <= $2';

/**
 * Runs a statement about spans by one process over the index `valid`, which has all that it needs. By itself the planner reads the
 * whole table with several processes where a business has most of it: twice as long, and several times the processor.
 */
function askSpans<Row extends QueryResultRow>(pool: Pool, text: string, values: unknown[]): Promise<Row[]> {
  return inTransaction(pool, async (db) => {
    await db.query(
      'set local enable_seqscan = off; set local enable_bitmapscan = off; set local max_parallel_workers_per_gather = 0',
    );
    return (await db.query<Row>(plannedEachTime(text, values))).rows;
  });
}

type Then = Readonly<{
  status: JobStatus;
  held_for: JobCardView['heldFor'];
  scheduled_at: string | null;
  needed: boolean;
  from_revision: number;
}>;

/**
 * A page of a business's jobs as they stood, with the texts of today, and whether there are more behind it. `revision` of a card is that
 * of the event since which it stood so. What is withheld now is withheld, and who was erased is gone.
 */
export async function listBoard(
  db: Pool,
  query: BoardListQuery,
): Promise<{ jobs: JobCardView[]; more: boolean }> {
  const { businessId, timeZone, now, position, statuses, today, sort, dir, page, limit } = query;
  const values: unknown[] = [businessId, position];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const conditions = [VALID];
  if (statuses.length > 0) conditions.push(`status = any(${parameter(statuses)})`);
  if (today) {
    const { from, to } = dayWindow(now, timeZone, scheduleDays);
    conditions.push(
      `scheduled_at >= ${parameter(from)} and scheduled_at < ${parameter(to)} and status <> 'Rejected'`,
    );
  }
  const rows = await askSpans<Record<string, unknown> & { stood: Then }>(
    db,
    `select to_json(page) as stood, card.* from (
         select job_id, from_revision, status, held_for, scheduled_at, needed, created_at
         from ${jobTables.spans} as span where ${conditions.join(' and ')}
         order by ${orderOf(sort, dir, 'span')} limit ${limit + 1} offset ${(page - 1) * limit}
       ) as page cross join lateral (
         select ${cardColumns} from ${jobTables.jobs} where business_id = $1 and job_id = page.job_id
       ) as card
       order by ${orderOf(sort, dir, 'page')}`,
    values,
  );
  const jobs = rows.slice(0, limit).map(({ stood, ...card }) => asItStood(toCard(card), stood));
  return { jobs, more: rows.length > limit };
}

/** The texts of today by the rules of `jobViewAsItStood`: what the job withholds now, or withheld then, is withheld. */
function asItStood(card: JobCard, then: Then): JobCardView {
  const stood = {
    status: then.status,
    heldFor: then.held_for,
    scheduledAt: then.scheduled_at && new Date(then.scheduled_at).toISOString(),
    noLongerNeededAt: then.needed ? null : card.noLongerNeededAt,
    revision: then.from_revision,
  };
  return { ...jobCardView(withholdsContact(card) ? card : { ...card, ...stood }), ...stood };
}

/** The counts as they were at that moment, as `countJobs`. */
export async function countBoard(
  db: Pool,
  { businessId, timeZone, now, position }: BoardQuery,
): Promise<CountedJobs> {
  const { from, to } = dayWindow(now, timeZone);
  const rows = await askSpans<{ status: JobStatus; answered: number; today: number }>(
    db,
    `select status, count(*) filter (where held_for is null)::int as answered,
         count(*) filter (where scheduled_at >= $3 and scheduled_at < $4 and status <> 'Rejected')::int as today
       from ${jobTables.spans} where ${VALID} group by status`,
    [businessId, position, from, to],
  );
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + of(row), 0);
  const inView = (view: 'new' | 'in-progress') =>
    sum(({ status, answered }) => (statusesOf(view).includes(status) ? answered : 0));
  const count = {
    today: sum(({ today }) => today),
    new: inView('new'),
    inProgress: inView('in-progress'),
    all: sum(({ answered }) => answered),
  };
  return { count, waiting: sum(({ status, answered }) => (status === 'Pending' ? answered : 0)) };
}
