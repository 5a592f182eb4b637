import type { Pool } from 'pg';
import type { JobStatus } from '#core/job/statuses.ts';
import { jobTables } from './table.ts';

/** A customer's request for removal that is open, with when it was made; null where the business kept the details until a day that has come. */
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
