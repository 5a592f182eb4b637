import type { JobDetails } from '#core/job/view.ts';
import { plannedOnce } from '#core/postgres/statement.ts';
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
