import type { JobLocation } from '#core/job/request/events.ts';
import { isUnfinished } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { dayKey, formatMoment } from '#site/lib/time/moments.ts';

/** A job by its customer and its whole title: `Priya Raman, Blocked kitchen sink`. */
export function jobLabel({ name, title }: Pick<JobCardView, 'name' | 'title'>): string {
  return `${name}, ${title}`;
}

/** Whether a job that waits asks for no prompt answer: the customer needs it no more, or it is held for review. */
export function isSetAside(
  job: Pick<JobCardView, 'status'> & Partial<Pick<JobCardView, 'noLongerNeededAt' | 'heldFor'>>,
): boolean {
  return job.status === 'Pending' && Boolean(job.noLongerNeededAt || job.heldFor);
}

/** Whether the job's time went by and its work is done. Work that is not done is late, not past. */
export function isPast(
  { scheduledAt, status }: Pick<JobCardView, 'scheduledAt' | 'status'>,
  now: Date,
): boolean {
  return scheduledAt !== null && new Date(scheduledAt) < now && !isUnfinished(status);
}

/** Whether an instant is of a day before today, in the business's zone (IANA). */
export function isBeforeToday(instant: string, timeZone: string, now: Date): boolean {
  return dayKey(instant, timeZone) < dayKey(now, timeZone);
}

/** When a job is: `Today, 2:00PM`, `Wed 07 Jan, 8:00AM`, of a day before today `Was Fri 02 Jan, 11:00AM`, or `No time yet`. */
export function scheduleInWords(scheduledAt: string | null, timeZone: string, now: Date): string {
  if (!scheduledAt) return 'No time yet';
  const moment = formatMoment(scheduledAt, timeZone, now);
  return isBeforeToday(scheduledAt, timeZone, now) ? `Was ${moment}` : moment;
}

/** The way to a job in the phone's own maps, or on the web: a link that both understand. */
export function directionsTo({ address }: Pick<JobLocation, 'address'>): string {
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination: address })}`;
}
