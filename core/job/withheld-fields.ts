import type { Json } from '#core/kernel/canonical-json.ts';
import { type JobEvent, jobEvents } from './events.ts';
import { type JobDetails, shownText, withholdsContact } from './view.ts';

/** The fields of an event of a job that are personal, in its newest version. */
export function personalNames(type: JobEvent['type']): string[] {
  return Object.keys(jobEvents[type].versions.at(-1)?.personal?.erased ?? {});
}

/**
 * Whether the tradie may not read a personal field of an event of the job just now: the job's page withholds the contact, and
 * this is contact, or has some in one of its texts.
 */
export function withholdsField(
  details: Pick<JobDetails, 'status' | 'erasureDueAt' | 'erasedAt'>,
  field: string,
  value: Json,
): boolean {
  if (!withholdsContact(details)) return false;
  const isContact = field === 'email' || field === 'phone';
  return isContact || textsIn(value).some((text) => shownText(details, text) !== text);
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
