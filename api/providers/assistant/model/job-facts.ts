import { dayOf, timeOf } from '#api/providers/assistant/answer-wording.ts';
import type { Clock } from '#api/providers/assistant/assistant.ts';
import type { JobCardView, JobView } from '#core/job/view.ts';
import { suburbOf } from '#core/values/contact-in-text.ts';
import { moneyText } from '#core/values/money.ts';
import { truncate } from '#core/values/text.ts';

/** The most characters of a text that a person wrote. */
const LONGEST = 1_500;

/** What a model reads of a job in a list: no phone, email or street. */
export function briefFacts(job: JobCardView, clock: Clock) {
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
    files: job.media.length,
  };
}

function whenOf(instant: string, clock: Clock): string {
  const { year } = Temporal.Instant.from(instant).toZonedDateTimeISO(clock.timeZone);
  return `${dayOf(instant, clock)} ${year}, ${timeOf(instant, clock)}`;
}
