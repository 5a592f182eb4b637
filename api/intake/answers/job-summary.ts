import type { JobType } from '#core/job/statuses.ts';
import type { JobDetails } from '#core/job/view.ts';
import { suburbOf, withoutContact } from '#core/values/contact-in-text.ts';
import { jobReference } from '#core/values/job-form.ts';
import { distanceWords, type Place } from '#core/values/place.ts';
import { instantWords } from '#core/values/time.ts';

/** What a tradie needs to decide about a job, and nothing by which its customer could be reached. */
export type JobSummary = Readonly<{
  type: JobType;
  title: string;
  description: string;
  /** Null where the address does not say it for sure. */
  suburb: string | null;
  /** The wished time in the customer's words, or when it is scheduled; null when neither is known. */
  when: string | null;
  isUrgent: boolean;
  /** From the tradie's base in a straight line, such as `4.2 km`; null where one of the places is unknown. */
  distance: string | null;
  createdAt: string;
  reference: string;
}>;

type Reader = Readonly<{ timeZone: string; base: Place | null }>;

/** The summary of a job; times on the clocks of `timeZone` (IANA), the distance from the reader's base. */
export function jobSummary(job: JobDetails, { timeZone, base }: Reader): JobSummary {
  const { id, type, title, description, isUrgent, createdAt, scheduledAt, wishedTime, location } = job;
  return {
    ...{ type, isUrgent, createdAt },
    title: withoutContact(title),
    description: withoutContact(description),
    suburb: suburbOf(location.address),
    distance: distanceWords(base, location),
    when: scheduledAt === null ? withoutContact(wishedTime) || null : instantWords(scheduledAt, timeZone),
    reference: jobReference(id),
  };
}
