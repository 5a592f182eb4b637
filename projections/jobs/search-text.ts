import type { JobLocation } from '#core/job/request/events.ts';
import type { JobDetails } from '#core/job/view.ts';
import { shownText, withholdsContact } from '#core/job/withheld-fields.ts';
import { foldText } from '#core/values/text.ts';

type Searchable = Pick<
  JobDetails,
  'name' | 'title' | 'notes' | 'status' | 'email' | 'phone' | 'erasureDueAt' | 'erasedAt'
> &
  Readonly<{ location: Pick<JobLocation, 'address'> }>;

/**
 * What a job is found by, folded, a line for each text: what its card shows, and the notes. The customer's contact is left out while the
 * job withholds it, in texts as well, so that a search cannot tell what a card does not. An erased customer is found by nothing.
 */
export function searchText(job: Searchable): string {
  if (job.erasedAt !== null) return '';
  const contact = withholdsContact(job) ? [] : contactTexts(job.email, job.phone);
  const typed = [job.name, job.title, job.location.address].map((text) => shownText(job, text, ' · '));
  return [...typed, job.notes, ...contact].map(foldText).join('\n');
}

/** The email, and the phone's digits with the country's code and as they are dialled at home. */
function contactTexts(email: string, phone: string): string[] {
  const digits = phone.replace(/\D/g, '');
  const national = /^\+6[14]/.test(phone) ? `0${digits.slice(2)}` : '';
  return [email, digits, national].filter(Boolean);
}

/**
 * The LIKE patterns of a search, folded, wildcards escaped: the text itself and, where it reads like part of a phone number, its digits.
 * None for a text of signs that are not compared, which finds nothing.
 */
export function searchPatterns(text: string): string[] {
  const wanted = foldText(text);
  const digits = /^[\d\s()+]+$/.test(wanted) ? wanted.replace(/\(0\)|\D/g, '') : '';
  const texts = digits.length >= 3 && digits !== wanted ? [wanted, digits] : [wanted];
  return texts.filter(Boolean).map((one) => `%${escaped(one)}%`);
}

/** The LIKE pattern of what searches look in where one of its texts is this, but for how it is typed; null for an empty text. */
export function linePattern(text: string): string | null {
  const line = foldText(text);
  return line === '' ? null : `%\n${escaped(line)}\n%`;
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');
