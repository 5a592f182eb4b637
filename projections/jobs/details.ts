import type { JobStatus } from '#core/job/status/statuses.ts';
import type { JobDetails } from '#core/job/view.ts';
import { plannedEachTime, plannedOnce } from '#core/postgres/statement.ts';
import { type JobCard, type JobRows, jobTables, toCard, toJob } from './table.ts';

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

type Walk = Readonly<{ businessId: string; until: Date; after: JobsAfter | null }>;

const walked = `business_id = $1 and created_at <= $2
  and ($3::timestamptz is null or (created_at, job_id) > ($3, $4))`;
const valuesOf = ({ businessId, until, after }: Walk, limit: number) => {
  return [businessId, until, after?.createdAt ?? null, after?.id ?? '', limit];
};

/** A page of rows as one JSON value: it is read faster than the thirty columns of each, and leaves less behind. */
async function rowsOf(
  db: JobRows,
  ordered: string,
  values: unknown[],
): Promise<Parameters<typeof toJob>[0][]> {
  const { rows } = await db.query<{ jobs: Parameters<typeof toJob>[0][] | null }>(
    plannedEachTime(`select json_agg(job) as jobs from (${ordered}) as job`, values),
  );
  return rows[0]?.jobs ?? [];
}

const cardsOf = (condition: string) =>
  `select * from ${jobTables.jobs} where ${condition} order by created_at, job_id limit $5`;

/** As `Date.toISOString` writes it. */
const CREATED = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Where a job stands in such a walk, and its status. */
export type JobPlace = JobsAfter & Readonly<{ status: JobStatus }>;

/** The places of all jobs of such a walk, without the jobs. */
export async function listJobPlaces(db: JobRows, walk: Walk, limit: number): Promise<JobPlace[]> {
  const { rows } = await db.query<{ places: [id: string, createdAt: string, status: JobStatus][] | null }>(
    plannedEachTime(
      `select json_agg(json_build_array(job_id, ${CREATED}, status)) as places from (
         select job_id, created_at, status from ${jobTables.jobs} where ${walked}
         order by created_at, job_id limit $5
       ) as page`,
      valuesOf(walk, limit),
    ),
  );
  return (rows[0]?.places ?? []).map(([id, createdAt, status]) => ({ id, createdAt, status }));
}

/** Of such a walk, what the cards show of the jobs that are on the schedule, contact included. */
export async function listScheduledCards(db: JobRows, walk: Walk, limit: number): Promise<JobCard[]> {
  const cards = cardsOf(`${walked} and scheduled_at is not null`);
  return (await rowsOf(db, cards, valuesOf(walk, limit))).map(toCard);
}

/** Those of some jobs of a business that have files, oldest first. */
export async function findJobsWithFiles(
  db: JobRows,
  businessId: string,
  ids: readonly string[],
): Promise<JobDetails[]> {
  const withFiles = `select * from ${jobTables.details} join ${jobTables.jobs} using (job_id, business_id)
     where business_id = $1 and job_id = any($2) and jsonb_array_length(media) > 0
     order by created_at, job_id`;
  return (await rowsOf(db, withFiles, [businessId, ids])).map(toJob);
}

/** The jobs of a business that had come by `until`, oldest first, contact included; at most `limit` of those after a job. */
export async function listJobDetails(db: JobRows, walk: Walk, limit: number): Promise<JobDetails[]> {
  // Details are joined to the rows of one page, never to all that follow it.
  const page = `select * from (${cardsOf(walked)}) as page join ${jobTables.details} using (job_id, business_id)
     order by created_at, job_id`;
  return (await rowsOf(db, page, valuesOf(walk, limit))).map(toJob);
}
