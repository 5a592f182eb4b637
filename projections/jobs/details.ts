import type { JobDetails } from '#core/job/view.ts';
import { isoOrNull, type JobRowRead, type JobRows, toJobFacts } from './table.ts';

type JobDetailsRead = JobRowRead &
  Readonly<{
    description: string;
    wished_time: string;
    answers: JobDetails['answers'];
    media: JobDetails['media'];
    opened_at: Date | string | null;
    heldFor: JobDetails['heldFor'];
  }>;

/** A job of a business, contact included: answer it through `jobView`. Null when the business has no such job. */
export async function getJobFacts(
  db: JobRows,
  businessId: string,
  jobId: string,
): Promise<JobDetails | null> {
  const { rows } = await db.query<JobDetailsRead>(
    `select *, (select held_for from read.held_jobs as held where held.job_id = $2) as "heldFor"
     from read.job_details_v2 where business_id = $1 and job_id = $2`,
    [businessId, jobId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { description, wished_time: wishedTime, answers, media, opened_at, heldFor } = row;
  return toJobFacts(row, {
    description,
    wishedTime,
    answers,
    media,
    openedAt: isoOrNull(opened_at),
    heldFor,
  });
}
