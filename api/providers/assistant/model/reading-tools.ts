import type { Clock, JobTools } from '#api/providers/assistant/assistant.ts';
import type { JobCardView } from '#core/job/view.ts';
import { briefFacts, wholeFacts } from './job-facts.ts';
import type { ToolMaker } from './model-tools.ts';
import { areDays, toolInputs } from './tool-inputs.ts';

/** Jobs of one answer. */
const MOST = 20;
/** What a tool costs that reads the streams of a hundred jobs. */
const READS_STREAMS = 4;
/** The same for a job that does not exist and for another business's. */
const NO_JOB = { problem: 'There is no such job.' };
const NO_DAYS = { problem: 'Give real days, from the earlier to the later, at most 92 of them.' };

/** Tools that look. What customers wrote stands in their answers as data. */
export function readingTools(make: ToolMaker, tools: JobTools, clock: Clock) {
  const listed = (jobs: readonly JobCardView[], more = jobs.length > MOST) => ({
    jobs: jobs.slice(0, MOST).map((job) => briefFacts(job, clock)),
    more,
  });
  return {
    job_counts: make(
      'How many jobs are on today, new, in progress, and in all.',
      toolInputs.nothing,
      async () => tools.counts(),
    ),
    list_jobs: make(
      'Jobs by status, and by words of their title, customer or address. Oldest first with Pending tells who has been waiting longest.',
      toolInputs.list,
      async ({ statuses, search, order }) =>
        listed(
          await tools.list({
            ...(statuses?.length ? { statuses } : {}),
            ...(search ? { search } : {}),
            ...{ sort: 'createdAt', dir: order === 'oldest' ? 'asc' : 'desc', limit: MOST + 1 },
          }),
        ),
    ),
    job_details: make('All that is known of one job.', toolInputs.job, async ({ id }) => {
      const job = await tools.job(id);
      return job ? wholeFacts(job, clock) : NO_JOB;
    }),
    schedule: make('What is booked on these days, by time.', toolInputs.days, async (days) =>
      areDays(days) ? listed(await tools.schedule(days)) : NO_DAYS,
    ),
    overdue_jobs: make('What was booked before today and is not finished.', toolInputs.nothing, async () => {
      const { count, jobs } = await tools.overdue();
      return { count, ...listed(jobs, count > Math.min(jobs.length, MOST)) };
    }),
    jobs_given_status: make(
      'Which jobs were given a status on these days: what was quoted, invoiced, paid or finished then.',
      toolInputs.givenStatus,
      async ({ status, ...days }) => {
        if (!areDays(days)) return NO_DAYS;
        const { jobs, isWhole } = await tools.givenStatus(status, days);
        return { ...listed(jobs), onlyNewestJobsLookedAt: !isWhole };
      },
      READS_STREAMS,
    ),
  };
}
