import type { JobType } from '#core/job/statuses.ts';
import type { JobDetails } from '#core/job/view.ts';
import { suburbOf, withoutContact } from '#core/values/contact-in-text.ts';
import { jobReference } from '#core/values/job-form.ts';
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
  createdAt: string;
  reference: string;
}>;

/** The summary of a job; times on the clocks of `timeZone` (IANA). */
export function jobSummary(job: JobDetails, timeZone: string): JobSummary {
  const { id, type, title, description, isUrgent, createdAt, scheduledAt, wishedTime, location } = job;
  return {
    ...{ type, isUrgent, createdAt },
    title: withoutContact(title),
    description: withoutContact(description),
    suburb: suburbOf(location.address),
    when: scheduledAt === null ? withoutContact(wishedTime) || null : instantWords(scheduledAt, timeZone),
    reference: jobReference(id),
  };
}
