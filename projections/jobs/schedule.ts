import type { Pool, PoolClient } from 'pg';
import { unfinishedStatuses } from '#core/job/status/statuses.ts';
import type { ViewSurroundings } from '#core/job/surroundings.ts';
import { type JobCardView, jobCardView } from '#core/job/view.ts';
import { plannedEachTime } from '#core/postgres/statement.ts';
import { scheduleLimits } from '#core/values/time.ts';
import { cardColumns, jobTables, toCard } from './table.ts';

export type ScheduleQuery = Readonly<{
  businessId: string;
  /** The business's IANA zone, in which days are reckoned. */
  timeZone: string;
  now: Date;
  /** At most 180 days; absent, from 90 days before today to 89 days after. */
  days?: Days | undefined;
  /** Instead of days: that many from today on. */
  ahead?: number | undefined;
  /** How many of their jobs, at most 500, and which of those, from 1. */
  limit?: number | undefined;
  page?: number | undefined;
  /** Without it cards have no picture. */
  thumbnailUrl?: ViewSurroundings['thumbnailUrl'];
}>;

export type Schedule = Readonly<{
  today: string;
  /** The days that have jobs, with how many: all of them, however many cards there are below. */
  days: readonly Readonly<{ date: string; count: number }>[];
  /** A page of the jobs of these days in the order of time. `more` says that there is another. */
  jobs: readonly JobCardView[];
  more: boolean;
  /** Of the days before today, what is unfinished: how many (1000 stands for more), and the 20 that wait the longest. */
  overdue: Readonly<{ count: number; jobs: readonly JobCardView[] }>;
}>;

/** What a business has on its days, in any status but Rejected; contact withheld where the status asks for it. */
export async function getSchedule(db: Pool | PoolClient, query: ScheduleQuery): Promise<Schedule> {
  const { businessId, timeZone, now, limit = scheduleLimits.jobs } = query;
  const today = dayOf(now, timeZone);
  const wanted = query.days ?? usualDays(today, query.ahead);
  const days = eachDay(wanted, timeZone);
  const end = startOf(Temporal.PlainDate.from(wanted.to).add({ days: 1 }), timeZone);
  const span = [businessId, days[0]?.start, end] as const;
  const [counts, rows, overdue] = await Promise.all([
    countByDay(db, span, days),
    listBetween(db, span, limit, query.page ?? 1),
    findOverdue(db, businessId, startOf(today, timeZone)),
  ]);
  const cardOf = (row: Row) => jobCardView(toCard(row), query.thumbnailUrl);
  const jobs = rows.slice(0, limit).map(cardOf);
  return {
    ...{ today: today.toString(), days: counts, jobs, more: rows.length > jobs.length },
    overdue: { count: overdue.count, jobs: overdue.rows.map(cardOf) },
  };
}

function usualDays(today: Temporal.PlainDate, ahead: number | undefined): Days {
  const [before, after] = ahead === undefined ? [scheduleDays.before, scheduleDays.after] : [0, ahead - 1];
  return { from: today.subtract({ days: before }).toString(), to: today.add({ days: after }).toString() };
}

/**
 * From here on each statement is planned for its values: spans of time hold a few jobs of one business and thousands of
 * another, and a plan for all spans takes them for short.
 */
type Row = Parameters<typeof toCard>[0];
type Span = readonly [businessId: string, from: Date | undefined, to: Date];

async function countByDay(db: Pool | PoolClient, span: Span, days: readonly { date: string; start: Date }[]) {
  const { rows } = await db.query<{ day: number; count: number }>(
    plannedEachTime(
      `select width_bucket(scheduled_at, $4::timestamptz[]) as day, count(*)::int as count from ${jobTables.jobs}
     where business_id = $1 and scheduled_at >= $2 and scheduled_at < $3 and status <> 'Rejected'
     group by day order by day`,
      [...span, days.map(({ start }) => start)],
    ),
  );
  return rows.map(({ day, count }) => ({ date: days[day - 1]?.date ?? '', count }));
}

/** In the order of the index over time, which has jobs without one first. */
async function listBetween(db: Pool | PoolClient, span: Span, limit: number, page: number): Promise<Row[]> {
  const { rows } = await db.query(
    plannedEachTime(
      `select ${cardColumns} from ${jobTables.jobs}
     where business_id = $1 and scheduled_at >= $2 and scheduled_at < $3 and status <> 'Rejected'
     order by scheduled_at nulls first, job_id limit $4 offset $5`,
      [...span, limit + 1, (page - 1) * limit],
    ),
  );
  return rows;
}

/** The first ones of each status are all that can be among the first of them all. */
async function findOverdue(db: Pool | PoolClient, businessId: string, before: Date) {
  const { rows } = await db.query(
    plannedEachTime(
      `select first.* from unnest($2::text[]) as unfinished(status) cross join lateral (
       select ${cardColumns} from ${jobTables.jobs}
       where business_id = $1 and status = unfinished.status and scheduled_at < $3
       order by scheduled_at nulls first, job_id limit ${scheduleLimits.overdue}
     ) as first
     order by scheduled_at, job_id limit ${scheduleLimits.overdue}`,
      [businessId, unfinishedStatuses, before],
    ),
  );
  return { count: await countOverdue(db, businessId, before), rows };
}

/** Ordered, though a count needs no order: a limit alone tempts the planner to read the table from its start. */
async function countOverdue(db: Pool | PoolClient, businessId: string, before: Date): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    plannedEachTime(
      `select least(sum(n), ${scheduleLimits.overdueCount})::int as count
     from unnest($2::text[]) as unfinished(status) cross join lateral (
       select count(*) as n from (
         select from ${jobTables.jobs}
         where business_id = $1 and status = unfinished.status and scheduled_at < $3
         order by scheduled_at nulls first, job_id limit ${scheduleLimits.overdueCount}
       ) as waiting
     ) as counted`,
      [businessId, unfinishedStatuses, before],
    ),
  );
  return rows[0]?.count ?? 0;
}

/** Instants from `from` (inclusive) to `to` (exclusive). */
export type Window = Readonly<{ from: Date; to: Date }>;

/** The schedule: 180 days, the first one 90 days before today. */
export const scheduleDays = { before: 90, after: 89 } as const;

/**
 * The local days from `before` days before today to `after` days after it, in an IANA zone. Days are as long as the
 * zone makes them: 23 or 25 hours where the clocks change.
 */
export function dayWindow(now: Date, timeZone: string, { before = 0, after = 0 } = {}): Window {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  const startOf = (date: Temporal.PlainDate) =>
    new Date(date.toZonedDateTime(timeZone).startOfDay().epochMilliseconds);
  return { from: startOf(today.subtract({ days: before })), to: startOf(today.add({ days: after + 1 })) };
}

/** Local days, both ends included, as `YYYY-MM-DD`. */
export type Days = Readonly<{ from: string; to: string }>;

/** The local day of an instant in an IANA zone. */
export function dayOf(instant: Date, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** Every day from the first to the last, with the instant at which it begins in the zone. */
export function eachDay({ from, to }: Days, timeZone: string): { date: string; start: Date }[] {
  const first = Temporal.PlainDate.from(from);
  const length = first.until(to, { largestUnit: 'days' }).days + 1;
  return Array.from({ length }, (_, index) => {
    const date = first.add({ days: index });
    return { date: date.toString(), start: startOf(date, timeZone) };
  });
}

/** When a day begins in a zone: not always at midnight. */
export function startOf(date: Temporal.PlainDate, timeZone: string): Date {
  return new Date(date.toZonedDateTime(timeZone).startOfDay().epochMilliseconds);
}
