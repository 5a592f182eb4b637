import type { Json } from '#core/kernel/canonical-json.ts';
import { hiddenContact, withheldContact, withoutContact } from '#core/values/contact-in-text.ts';
import type { JobLocation } from './request/events.ts';
import { hidesContact, type JobStatus } from './status/statuses.ts';

/** What stands on screens instead of the customer and of what they asked for. */
const removedCustomer = { name: 'Removed customer', title: 'Removed job' } as const;

/** What of a job decides whether its contact is withheld. The moments are instants. */
export type Withholding = Readonly<{
  status: JobStatus;
  erasureDueAt: string | null;
  erasedAt: string | null;
}>;

/** Whether the customer's contact stays on the server: the tradie has not accepted, or it is being removed. */
export function withholdsContact({ status, erasureDueAt, erasedAt }: Withholding): boolean {
  return hidesContact(status) || erasureDueAt !== null || erasedAt !== null;
}

/** A text of the customer's as the tradie may read it in a job. */
export function shownText(
  job: Withholding,
  text: string,
  instead = hidesContact(job.status) ? hiddenContact : withheldContact,
): string {
  return withholdsContact(job) ? withoutContact(text, instead) : text;
}

/** The details with words for people in the place of what was removed. */
export function presented<Details extends Readonly<{ erasedAt: string | null; location: JobLocation }>>(
  details: Details,
): Details {
  if (details.erasedAt === null) return details;
  return { ...details, ...removedCustomer, location: { ...details.location, address: '' } };
}

/**
 * Whether the tradie may not read a personal field of an event of the job just now: the job's page withholds the contact, and
 * this is contact, or has some in one of its texts.
 */
export function withholdsField(details: Withholding, field: string, value: Json): boolean {
  if (!withholdsContact(details)) return false;
  const isContact = field === 'email' || field === 'phone';
  return isContact || textsIn(value).some((text) => shownText(details, text) !== text);
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
