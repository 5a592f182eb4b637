import type { JobDetails } from '#core/job/view.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { foldRows, type RowFold } from '#projections/runtime/rows.ts';
import { isoOrNull, type JobRow, jobColumns, nextFacts, toJobFacts, toJobRow } from './table.ts';

export type JobDetailsRow = JobRow &
  Readonly<{
    description: string;
    wished_time: string;
    answers: JobDetails['answers'];
    media: JobDetails['media'];
    opened_at: string | null;
  }>;

const details: RowFold<JobDetailsRow> = {
  table: 'job_details',
  category: 'job',
  key: 'job_id',
  columns: [...jobColumns, 'description', 'wished_time', 'answers', 'media', 'opened_at'],
  evolve(row, event) {
    const facts = nextFacts(row ? toJobFacts(row, extrasOf(row)) : null, event);
    return facts ? toRow(facts) : undefined;
  },
};

/** Everything that is known of a job. */
export const jobDetails: Projection = {
  name: 'job-details',
  version: 2,
  tables: ['job_details'],
  categories: ['job'],
  async apply(db, table, events) {
    const transitions = await foldRows(db, table, details, events);
    return transitions.map(({ after }) => ({ businessId: after.business_id, kind: 'job', id: after.job_id }));
  },
};

function extrasOf({ description, wished_time, answers, media, opened_at }: JobDetailsRow) {
  return {
    description,
    wishedTime: wished_time,
    answers,
    media,
    openedAt: isoOrNull(opened_at),
    heldFor: null,
  };
}

function toRow(facts: JobDetails): JobDetailsRow {
  const { description, wishedTime, answers, media, openedAt } = facts;
  return { ...toJobRow(facts), description, wished_time: wishedTime, answers, media, opened_at: openedAt };
}
