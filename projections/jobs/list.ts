import type { Pool, PoolClient } from 'pg';
import { type JobCounts, type JobSort, type JobStatus, statusesOf } from '#core/job/status/statuses.ts';
import type { ViewSurroundings } from '#core/job/surroundings.ts';
import { type JobCardView, jobCardView } from '#core/job/view.ts';
import { plannedEachTime, plannedOnce } from '#core/postgres/statement.ts';
import { readJobReference } from '#core/values/job-form.ts';
import { countCharacters, searchLength, singleLine } from '#core/values/text.ts';
import { dayWindow, scheduleDays } from './schedule.ts';
import { searchPatterns } from './search-text.ts';
import { cardColumns, jobTables, toCard } from './table.ts';

export type JobListQuery = Readonly<{
  businessId: string;
  /** The business's IANA zone, in which `today` is reckoned. */
  timeZone: string;
  now: Date;
  /** Absent or empty: any status. */
  statuses?: readonly JobStatus[] | undefined;
  /** The schedule: what is scheduled from 90 days before today to 89 days after, but Rejected. */
  today?: boolean | undefined;
  /** 3 to 100 characters; any white space between words counts as one space. */
  search?: string | null | undefined;
  sort?: JobSort | undefined;
  dir?: 'asc' | 'desc' | undefined;
  /** From 1 to 500. */
  page?: number | undefined;
  limit?: number | undefined;
  /** Without it cards have no picture. */
  thumbnailUrl?: ViewSurroundings['thumbnailUrl'];
}>;

type CountRow = Readonly<{ counts: Partial<Record<JobStatus, number>>; today: number }>;

/** How many jobs each of the four lists holds, and how many of them wait for an answer. */
export type CountedJobs = Readonly<{ count: JobCounts; waiting: number }>;

/** Each order in both directions is one walk over an index: the id breaks ties, jobs without a time come first or last. */
const orders: Record<JobSort, Record<'asc' | 'desc', string>> = {
  createdAt: { asc: 'created_at, job_id', desc: 'created_at desc, job_id desc' },
  scheduledAt: {
    asc: 'scheduled_at nulls first, job_id',
    desc: 'scheduled_at desc nulls last, job_id desc',
  },
  's.date': {
    asc: 'scheduled_at nulls first, job_id',
    desc: 'scheduled_at desc nulls last, job_id desc',
  },
};

/**
 * A page of a business's jobs, as cards, and whether there are more behind it; contact withheld where the status asks for
 * it. Matches a search with what the reader may see of a card, and with the notes. Throws RangeError on a page, limit or
 * search outside its bounds.
 */
export async function listJobCards(
  db: Pool | PoolClient,
  query: JobListQuery,
): Promise<{ jobs: JobCardView[]; more: boolean }> {
  const { page = 1, limit = 75, sort = 'createdAt', dir = 'desc' } = query;
  checkRange('page', page, 1, 500);
  checkRange('limit', limit, 1, 100);
  const values: unknown[] = [];
  const order = orders[sort][dir];
  const last = page * limit + 1;
  const found = foundBy(query, `order by ${order} limit ${last}`, (value) => `$${values.push(value)}`);
  // The page is found over indexes alone; only its own rows are fetched, however deep it is. One row on tells of more.
  const text = `select ${cardColumns} from ${jobTables.jobs} join (
       select business_id, job_id from ${found} order by ${order} limit ${limit + 1} offset ${(page - 1) * limit}
     ) as page using (business_id, job_id)
     order by ${order}`;
  const { rows } = await db.query(
    isPlannedOnce(query) ? plannedOnce(text, values) : plannedEachTime(text, values),
  );
  const jobs = rows.slice(0, limit).map((row) => jobCardView(toCard(row), query.thumbnailUrl));
  return { jobs, more: rows.length > limit };
}

/**
 * The first pages of the lists, which walks over indexes serve for any business. A search and a span of time want a plan for
 * what is asked: that for all values reads a large business whole. So does a deep page, of which there are many.
 */
function isPlannedOnce({ search, today = false, page = 1, limit = 75 }: JobListQuery): boolean {
  return !search && !today && page === 1 && limit === 75;
}

/** The counts of a business; `today` is today in its zone. What is held for review is in the lists, and is counted once it was answered. */
export async function countJobs(
  db: Pool | PoolClient,
  { businessId, timeZone, now }: Pick<JobListQuery, 'businessId' | 'timeZone' | 'now'>,
): Promise<CountedJobs> {
  const { from, to } = dayWindow(now, timeZone);
  const { rows } = await db.query<CountRow>(
    plannedOnce(
      `select
       (select coalesce(json_object_agg(status, n), '{}') from ${jobTables.counts} where business_id = $1 and not held) as counts,
       (select count(*)::int from ${jobTables.jobs}
        where business_id = $1 and scheduled_at >= $2 and scheduled_at < $3 and status <> 'Rejected') as today`,
      [businessId, from, to],
    ),
  );
  const { counts = {}, today = 0 } = rows[0] ?? {};
  const sum = (numbers: (number | undefined)[]) => numbers.reduce<number>((all, n) => all + (n ?? 0), 0);
  const count = {
    today,
    new: sum(statusesOf('new').map((status) => counts[status])),
    inProgress: sum(statusesOf('in-progress').map((status) => counts[status])),
    all: sum(Object.values(counts)),
  };
  return { count, waiting: counts.Pending ?? 0 };
}

/** Where the ids of a page come from; `ending` orders them and ends after its last. A search needs the cards as well only when it asks for what they alone hold. */
function foundBy(query: JobListQuery, ending: string, parameter: (value: unknown) => string): string {
  const { search, today = false, statuses = [], sort = 'createdAt' } = query;
  const business = parameter(query.businessId);
  if (!search && !today && statuses.length > 0) {
    // A walk for each status, side by side: one over all statuses would pass every job to find those of a rare one. Each ends
    // with the page: without that they are read whole, and sorted.
    const column = sort === 'createdAt' ? 'created_at' : 'scheduled_at';
    const walks = [...new Set(statuses)].map((status) => {
      const where = `business_id = ${business} and status = ${parameter(status)}`;
      return `(select business_id, job_id, ${column} from ${jobTables.jobs} where ${where} ${ending})`;
    });
    return `(${walks.join(' union all ')}) as asked`;
  }
  const onCards = conditionsOnCards(query, parameter);
  if (!search) {
    return `${jobTables.jobs} where ${[`business_id = ${business}`, ...onCards].join(' and ')}`;
  }
  const matches = `business_id = ${business} and ${searchCondition(search, parameter)}`;
  if (onCards.length === 0 && sort === 'createdAt') return `${jobTables.search} where ${matches}`;
  return `${jobTables.jobs} join (select business_id, job_id from ${jobTables.search} where ${matches}) as found using (business_id, job_id)
    where ${[`business_id = ${business}`, ...onCards].join(' and ')}`;
}

function conditionsOnCards(
  { timeZone, now, statuses = [], today = false }: JobListQuery,
  parameter: (value: unknown) => string,
): string[] {
  const conditions: string[] = [];
  if (statuses.length > 0) conditions.push(`status = any(${parameter(statuses)})`);
  if (today) {
    const { from, to } = dayWindow(now, timeZone, scheduleDays);
    conditions.push(
      `scheduled_at >= ${parameter(from)} and scheduled_at < ${parameter(to)} and status <> 'Rejected'`,
    );
  }
  return conditions;
}

function searchCondition(search: string, parameter: (value: unknown) => string): string {
  checkRange('search', countCharacters(singleLine(search)), searchLength.min, searchLength.max);
  const reference = readJobReference(search);
  const ways = [
    ...searchPatterns(search).map((pattern) => `search like ${parameter(pattern)}`),
    ...(reference ? [`(reference = ${parameter(reference)} and search <> '')`] : []),
  ];
  return ways.length > 0 ? `(${ways.join(' or ')})` : 'false';
}

function checkRange(name: string, value: number, least: number, most: number): void {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} goes from ${least} to ${most}`);
  }
}

/** The ids of all jobs with a reference, whose customers may be erased: of every business, or of one. */
export async function findByReference(
  db: Pool | PoolClient,
  reference: string,
  businessId?: string,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select job_id as id from ${jobTables.search}
     where reference = $1 and business_id = coalesce($2, business_id) order by created_at desc, job_id`,
    [reference, businessId ?? null],
  );
  return rows.map(({ id }) => id);
}

/** Whether a business had work at a time: a job that came, was changed or was planned, from `from` on and before `to`. */
export async function hadWork(
  db: Pool,
  businessId: string,
  { from, to }: Readonly<{ from: Date; to: Date }>,
): Promise<boolean> {
  const { rows } = await db.query<{ had: boolean }>(
    `select exists (select from ${jobTables.jobs} where business_id = $1 and created_at >= $2 and created_at < $3)
       or exists (select from ${jobTables.jobs} where business_id = $1 and scheduled_at >= $2 and scheduled_at < $3)
       or exists (select from ${jobTables.spans} where business_id = $1 and since >= $2 and since < $3) as had`,
    [businessId, from, to],
  );
  return rows[0]?.had ?? false;
}
