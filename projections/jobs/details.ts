import type { JobDetails } from '#core/job/view.ts';
import { plannedEachTime, plannedOnce } from '#core/postgres/statement.ts';
import { type JobRows, jobTables, toJob } from './table.ts';

/** A job of a business, contact included: answer it through `jobView`. Null when the business has no such job. */
export async function getJobDetails(
  db: JobRows,
  businessId: string,
  jobId: string,
): Promise<JobDetails | null> {
  const { rows } = await db.query(
    plannedOnce(
      `select * from ${jobTables.jobs} join ${jobTables.details} using (job_id, business_id)
       where business_id = $1 and job_id = $2`,
      [businessId, jobId],
    ),
  );
  return rows[0] ? toJob(rows[0]) : null;
}

/** Where a walk over a business's jobs stands: after the job that came at this moment and has this id. */
export type JobsAfter = Readonly<{ createdAt: string; id: string }>;

/** The jobs of a business that had come by `until`, oldest first, contact included; at most `limit` of those after a job. */
export async function listJobDetails(
  db: JobRows,
  { businessId, until, after }: Readonly<{ businessId: string; until: Date; after: JobsAfter | null }>,
  limit: number,
): Promise<JobDetails[]> {
  const { rows } = await db.query(
    plannedEachTime(
      `select * from (
         select * from ${jobTables.jobs}
         where business_id = $1 and created_at <= $2
           and ($3::timestamptz is null or (created_at, job_id) > ($3, $4))
         order by created_at, job_id limit $5
       ) as page join ${jobTables.details} using (job_id, business_id)
       order by created_at, job_id`,
      [businessId, until, after?.createdAt ?? null, after?.id ?? '', limit],
    ),
  );
  return rows.map(toJob);
}
