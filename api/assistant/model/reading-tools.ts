import type { Clock, JobTools } from '#api/assistant/assistant.ts';
import { dayOf, timeOf } from '#api/assistant/embedded/answer-wording.ts';
import type { JobCardView, JobView } from '#core/job/view.ts';
import { suburbOf } from '#core/values/contact-in-text.ts';
import { moneyText } from '#core/values/region.ts';
import { truncate } from '#core/values/text.ts';
import { areDays, type ToolMaker, toolInputs } from './tool-inputs.ts';

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

/** The most characters of a text that a person wrote. */
const LONGEST = 1_500;

/** What a model reads of a job in a list: no phone, email or street. */
function briefFacts(job: JobCardView, clock: Clock) {
  return {
    id: job.id,
    title: truncate(job.title, 120),
    customer: truncate(job.name, 80),
    suburb: suburbOf(job.location.address),
    status: job.status,
    urgent: job.isUrgent,
    booked: job.scheduledAt && whenOf(job.scheduledAt, clock),
    came: whenOf(job.createdAt, clock),
    ...(job.noLongerNeededAt ? { customerSaysNoLongerNeeded: true } : {}),
  };
}

/** What it reads of one job: what the job's own page shows, files aside. */
export function wholeFacts(job: JobView, clock: Clock) {
  const { consumerJobDetails: consumer, workOrderDetails: order } = job;
  const boundedText = (text: string | undefined) => (text ? { text: truncate(text, LONGEST) } : null);
  return {
    ...briefFacts(job, clock),
    address: job.location.address,
    phone: job.phone ?? 'withheld until the job is accepted',
    email: job.email ?? 'withheld until the job is accepted',
    notes: boundedText(job.notes),
    description: boundedText(consumer?.description ?? order?.description),
    wishedTime: boundedText(consumer?.wishedTime),
    answers: job.form.slice(0, 20).map(({ question, field, answer }) => ({
      question,
      answer: truncate(field === 'budget' ? moneyText(answer, clock.region) : answer, 300),
    })),
    files: job.media.length + job.photos.length,
  };
}

function whenOf(instant: string, clock: Clock): string {
  const { year } = Temporal.Instant.from(instant).toZonedDateTimeISO(clock.timeZone);
  return `${dayOf(instant, clock)} ${year}, ${timeOf(instant, clock)}`;
}
