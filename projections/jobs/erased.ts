import type { Pool, PoolClient } from 'pg';
import type { JobStatus } from '#core/job/status/statuses.ts';
import { accountsTable, version as accountsVersion, businessesTable } from '#projections/accounts/table.ts';
import { publicFormTables } from '#projections/public-form/projection.ts';
import { tableOf } from '#projections/runtime/build.ts';
import { findEarlierTables } from '#projections/runtime/live-tables.ts';
import { detailsTable, erasedColumns, jobsTable, jobTables, searchTable, version } from './table.ts';

const names = [jobsTable.name, detailsTable.name, searchTable.name];

/**
 * Deletes these jobs from the tables of earlier versions, which follow the log no more and would show their text for ever; answers
 * how many rows. What a newer release has made follows by itself.
 */
export async function deleteFromEarlierTables(db: Pool, jobIds: readonly string[]): Promise<number> {
  const earlier = await findEarlierTables(db, names, version);
  let deleted = 0;
  for (const quoted of earlier) {
    const { rowCount } = await db.query(`delete from ${quoted} where job_id = any($1)`, [jobIds]);
    deleted += rowCount ?? 0;
  }
  return deleted;
}

/** Jobs of a business, erased or not: at most `limit`, ordered by id, those after `after`. */
export async function listJobIds(
  db: Pool,
  businessId: string,
  { after, limit }: Readonly<{ after: string; limit: number }>,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select job_id as id from ${jobTables.jobs} where business_id = $1 and job_id > $2 order by job_id limit $3`,
    [businessId, after, limit],
  );
  return rows.map(({ id }) => id);
}

/** Those of these businesses of which a job is there whose customer is not erased. */
export async function findBusinessesWithCustomers(
  db: Pool | PoolClient,
  businessIds: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from unnest($1::text[]) as id where exists (
       select from ${jobTables.jobs} where business_id = id and erased_at is null)`,
    [businessIds],
  );
  return rows.map(({ id }) => id);
}

/** How many jobs of these businesses have a customer who is not erased. */
export async function countCustomersOf(db: Pool, businessIds: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from ${jobTables.jobs} where business_id = any($1) and erased_at is null`,
    [businessIds],
  );
  return rows[0]?.n ?? 0;
}

/** Those of these jobs of which a live table still holds something that an erasure clears. */
export async function findUnerased(db: Pool | PoolClient, jobIds: readonly string[]): Promise<string[]> {
  const values: unknown[] = [jobIds];
  const isLeft = (erased: Readonly<Record<string, unknown>>) =>
    Object.entries(erased)
      .map(([column, value]) => {
        values.push(Array.isArray(value) ? JSON.stringify(value) : value);
        return `${column} is distinct from $${values.length}`;
      })
      .join(' or ');
  const { rows } = await db.query<{ id: string }>(
    `select job_id as id from ${jobTables.jobs}
       where job_id = any($1) and (erased_at is null or ${isLeft(erasedColumns.jobs)})
     union select job_id from ${jobTables.details} where job_id = any($1) and (${isLeft(erasedColumns.job_details)})
     union select job_id from ${jobTables.search} where job_id = any($1) and search <> ''`,
    values,
  );
  return rows.map(({ id }) => id);
}

/**
 * Takes what was erased out of the samples of the planner and out of the pending list of the index for searches. The columns with
 * names and texts have no samples at all (`personal` in `table.ts`).
 */
export async function refreshStatistics(db: Pool): Promise<void> {
  const { jobs, details, search } = jobTables;
  const { forms, questions } = publicFormTables;
  await db.query(`analyze ${jobs}, ${details}, ${search}, ${forms}, ${questions}`);
  await db.query(`select gin_clean_pending_list($1::regclass)`, [jobTables.search.replace(/"$/, '_search"')]);
}

/** Of these jobs those of one business with this email or phone (E.164), whatever their status; erased ones are not found. */
export async function findJobsOfCustomer(
  db: Pool,
  businessId: string,
  { email, phone }: Readonly<{ email?: string | undefined; phone?: string | undefined }>,
  are: 'all' | 'shown',
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select job_id as id from ${jobTables.jobs}
     where business_id = $1 and erased_at is null and (lower(email) = lower($2) or phone = $3)
       and ($4 = 'all' or (status not in ('Pending', 'Rejected') and erasure_due_at is null))
     order by job_id`,
    [businessId, email ?? null, phone ?? null, are],
  );
  return rows.map(({ id }) => id);
}

/** By what a job's customer is reached, and other jobs of theirs are found; undefined where the business has no such job. */
export async function findContact(
  db: Pool,
  businessId: string,
  jobId: string,
): Promise<Readonly<{ email?: string | undefined; phone?: string | undefined }> | undefined> {
  const { rows } = await db.query<{ email: string; phone: string }>(
    `select email, phone from ${jobTables.jobs} where business_id = $1 and job_id = $2 and erased_at is null`,
    [businessId, jobId],
  );
  // An empty one is shared with all who left none.
  return rows[0] && { email: rows[0].email || undefined, phone: rows[0].phone || undefined };
}

/** How many columns with texts about people Postgres has samples of in the live tables: none, unless that was changed by hand. */
export async function countSamples(db: Pool): Promise<number> {
  const tables = [
    ...[jobsTable, detailsTable].map((table) => ({ table, version })),
    ...[accountsTable, businessesTable].map((table) => ({ table, version: accountsVersion })),
  ];
  const personal = tables.flatMap(({ table, version: of }) =>
    Object.entries(table.columns).flatMap(([column, { isPersonal }]) =>
      isPersonal ? [`${tableOf({ version: of }, table.name)}.${column}`] : [],
    ),
  );
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from pg_stats
     where schemaname = 'read' and tablename || '.' || attname = any($1)
       and (most_common_vals is not null or histogram_bounds is not null)`,
    [personal],
  );
  return rows[0]?.n ?? 0;
}

export type RetainedJob = Readonly<{ id: string; businessId: string; status: JobStatus; createdAt: Date }>;

/**
 * Jobs of all businesses that were made before an instant, which depends on whether they were accepted, and whose customers' details are stored and not about to be removed: at most
 * `limit`, ordered by id, those after `after`.
 */
export async function listRetainedJobs(
  db: Pool,
  {
    before: { neverAccepted, workedOn },
    after,
    limit,
  }: Readonly<{ before: Readonly<{ neverAccepted: Date; workedOn: Date }>; after: string; limit: number }>,
): Promise<RetainedJob[]> {
  const { rows } = await db.query<RetainedJob>(
    `select job_id as id, business_id as "businessId", status, created_at as "createdAt" from ${jobTables.jobs}
     where created_at < case when status in ('Pending', 'Rejected') then $1::timestamptz else $4 end and job_id > $2 and erased_at is null and erasure_due_at is null
     order by job_id limit $3`,
    [neverAccepted, after, limit, workedOn],
  );
  return rows;
}

/** A customer's request for removal that is open, with when it was made; null where the business retained the details until a day that has come. */
export type OpenRequest = Readonly<{
  jobId: string;
  businessId: string;
  status: JobStatus;
  askedAt: Date | null;
}>;

/** The same words as the index `requests` has, so that it is used. */
const OF_INDEX = '(removal_asked_at is not null or kept_until is not null)';
const OPEN = `${OF_INDEX} and erasure_due_at is null and erased_at is null`;

/** Requests of all businesses that something is to be done for: at most `limit`, ordered by job, those after `after`. */
export async function listRequests(
  db: Pool,
  now: Date,
  { after, limit }: Readonly<{ after: string; limit: number }>,
): Promise<OpenRequest[]> {
  const { rows } = await db.query<OpenRequest>(
    `select job_id as "jobId", business_id as "businessId", status, removal_asked_at as "askedAt"
     from ${jobTables.jobs}
     where ${OPEN} and (removal_asked_at is not null or kept_until <= $1) and job_id > $2
     order by job_id limit $3`,
    [now, after, limit],
  );
  return rows;
}

/** How many customers asked before an instant and have neither an answer nor a removal that is planned. */
export async function countRequestsBefore(db: Pool, before: Date): Promise<number> {
  const { rows } = await db.query<{ n: number }>(
    `select count(*)::int as n from ${jobTables.jobs} where ${OPEN} and removal_asked_at < $1`,
    [before],
  );
  return rows[0]?.n ?? 0;
}
