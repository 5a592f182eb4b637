import type { Clock, JobLine } from '#api/assistant/assistant.ts';
import type { JobCardView } from '#core/job/view.ts';
import { suburbOf } from '#core/values/contact-in-text.ts';
import { truncate } from '#core/values/text.ts';

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** `No jobs`, `One job`, `Three jobs`, `12 jobs`. */
export function numberOf(count: number, thing = 'job'): string {
  return `${words[count] ?? count} ${thing}${count === 1 ? '' : 's'}`;
}

/** `7:30AM` on the business's clock. */
export function timeOf(instant: string, { timeZone }: Clock): string {
  const { hour, minute } = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone);
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')}${hour < 12 ? 'AM' : 'PM'}`;
}

/** `Mon 05 Jan` on the business's calendar. */
export function dayOf(instant: string, { timeZone }: Clock): string {
  const day = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate();
  const name = (options: Intl.DateTimeFormatOptions) => day.toLocaleString('en-AU', options).slice(0, 3);
  return `${name({ weekday: 'short' })} ${String(day.day).padStart(2, '0')} ${name({ month: 'short' })}`;
}

/** Rows that lead with the time of day. */
export function byTime(jobs: readonly JobCardView[], clock: Clock): JobLine[] {
  return jobs.map((job) => ({
    ...{ id: job.id, title: job.title },
    lead: job.scheduledAt ? timeOf(job.scheduledAt, clock) : '',
  }));
}

/** Rows that lead with the day on which the job is, else with the one on which it came. */
export function byDay(jobs: readonly JobCardView[], clock: Clock): JobLine[] {
  return jobs.map((job) => ({
    ...{ id: job.id, title: job.title, lead: dayOf(job.scheduledAt ?? job.createdAt, clock) },
  }));
}

/** Rows that lead with the day on which the job came. */
export function byArrival(jobs: readonly JobCardView[], clock: Clock): JobLine[] {
  return jobs.map((job) => ({ id: job.id, title: job.title, lead: dayOf(job.createdAt, clock) }));
}

/** ` in Coburg VIC`, or nothing where the suburb is not known. */
export function placeOf({ location }: JobCardView): string {
  const suburb = suburbOf(location.address);
  return suburb ? ` in ${suburb}` : '';
}

/** A job's title in a sentence: in quotes, cut, so that a customer's words never read like Kel's own. */
export function quoted({ title }: Pick<JobCardView, 'title'>): string {
  return `“${truncate(title, 60)}”`;
}
