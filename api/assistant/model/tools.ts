import type { FlexibleSchema, Tool } from 'ai';
import { type } from 'arktype';
import type { Clock, JobTools, Piece } from '#api/assistant/assistant.ts';
import { byDay, dayOf, howPieces, timeOf } from '#api/assistant/embedded/answer-wording.ts';
import { topics } from '#api/assistant/embedded/intent.ts';
import { proposeChange, proposeMove, proposeNote } from '#api/assistant/embedded/job-answers.ts';
import { jobStatuses, workingStatuses } from '#core/job/status/statuses.ts';
import type { JobCardView, JobView } from '#core/job/view.ts';
import { suburbOf } from '#core/values/contact-in-text.ts';
import { formatPhone } from '#core/values/phone.ts';
import { moneyText } from '#core/values/region.ts';
import { searchLength, truncate } from '#core/values/text.ts';
import { isJobSlot } from '#core/values/time.ts';
import { plainText } from './answer-pieces.ts';

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
    phone: job.phone ? formatPhone(job.phone, clock.region) : 'withheld until the job is accepted',
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

/** Proposals in one answer: more buttons than a person reads before pressing would be a trap. */
const MOST_PROPOSALS = 3;
const MOST_LISTS = 3;
const ENOUGH = { problem: 'That is enough in one answer.' };

/**
 * Tools that put something before the tradie: rows of jobs, a page of the product, a change to press the button of. What
 * stands beside a button is our own text, of the job as it is now; `show` takes the pieces.
 */
export function showingTools(
  make: ToolMaker,
  tools: JobTools,
  clock: Clock,
  show: (pieces: readonly Piece[]) => void,
) {
  const proposed = new Set<string>();
  let lists = 0;
  const propose = (pieces: readonly Piece[]) => {
    const offered = pieces.find((piece) => piece.kind === 'proposal');
    if (!offered)
      return { problem: pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(' ') };
    const key = JSON.stringify(offered.proposal);
    if (proposed.has(key)) return { shown: 'The tradie sees this button already.' };
    if (proposed.size === MOST_PROPOSALS) return ENOUGH;
    proposed.add(key);
    show(pieces);
    return { shown: 'The tradie sees the job and a button. Nothing has changed yet.' };
  };
  return {
    show_jobs: make('Shows up to five jobs as rows that open them.', toolInputs.jobs, async ({ ids }) => {
      if (lists === MOST_LISTS) return ENOUGH;
      const found = await Promise.all([...new Set(ids)].map((id) => tools.job(id)));
      const jobs = found.filter((job) => job !== null);
      if (jobs.length === 0) return { problem: 'There are no such jobs.' };
      lists += 1;
      show([{ kind: 'jobs', jobs: byDay(jobs, clock) }]);
      return { shown: jobs.length };
    }),
    open_page: make(
      'Shows a link to a page of the product: the job form for customers, its questions, adding a job, notifications, password, profile, booking times, signing out.',
      toolInputs.page,
      async ({ page }) => {
        show((await howPieces(page, tools)).filter(({ kind }) => kind === 'link'));
        return { shown: page };
      },
    ),
    propose_change: make(
      'Shows a button that accepts or rejects a job, or sets its status. Only when the tradie asked for it.',
      toolInputs.change,
      async ({ id, change }) => {
        const kind =
          change === 'accept' || change === 'reject'
            ? ({ kind: change } as const)
            : ({ kind: 'status', status: change } as const);
        return propose(await proposeChange({ job: { ids: [id] }, change: kind }, tools, clock));
      },
    ),
    propose_time: make(
      'Shows a button that moves a job to a day and a time, from 08:00 to 17:30 on the hour or half past. Only when the tradie asked for it.',
      toolInputs.time,
      async ({ id, day, time }) => {
        if (!areDays({ from: day, to: day })) return NO_DAYS;
        const slot = isJobSlot(time) ? time : null;
        return propose(await proposeMove({ job: { ids: [id] }, day, slot, isTimeNamed: true }, tools, clock));
      },
    ),
    propose_note: make(
      'Shows a button that puts a note below those of a job. Only when the tradie asked for it.',
      toolInputs.note,
      async ({ id, note }) => {
        const plain = note.split('\n').map(plainText).join('\n').trim();
        return propose(await proposeNote({ job: { ids: [id] }, note: plain }, tools, clock));
      },
    ),
  };
}

/** The longest stretch of days that a model may ask for at once. */
const MOST_DAYS = 92;

const JobId = type(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const Day = type(/^\d{4}-\d{2}-\d{2}$/);
const JobStatus = type.enumerated(...jobStatuses);
const WorkingStatus = type.enumerated(...workingStatuses);

/** What a model may ask of each tool. None of them names a business. */
const toolInputs = {
  nothing: type({}),
  list: type({
    'statuses?': JobStatus.array().atMostLength(jobStatuses.length),
    'search?': `${searchLength.min} <= string <= ${searchLength.max}`,
    'order?': "'newest' | 'oldest'",
  }),
  job: type({ id: JobId }),
  jobs: type({ ids: JobId.array().atLeastLength(1).atMostLength(5) }),
  days: type({ from: Day, to: Day }),
  givenStatus: type({ status: WorkingStatus, from: Day, to: Day }),
  change: type({ id: JobId, change: type.enumerated('accept', 'reject', ...workingStatuses) }),
  time: type({ id: JobId, day: Day, time: /^\d{2}:\d{2}$/ }),
  note: type({ id: JobId, note: '1 <= string <= 1000' }),
  page: type({ page: type.enumerated(...topics) }),
} as const;

/** Makes a tool of a description for the model, what it may be asked with, what it does, and what one use of it costs (1). */
export type ToolMaker = <Input>(
  description: string,
  input: FlexibleSchema<Input>,
  use: (input: Input) => Promise<object>,
  cost?: number,
) => Tool;

/** Whether these are real days, in their order, and not too many. */
function areDays({ from, to }: Readonly<{ from: string; to: string }>): boolean {
  try {
    const length = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;
    return length >= 0 && length < MOST_DAYS;
  } catch {
    return false;
  }
}
