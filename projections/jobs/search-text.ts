import type { JobLocation } from '#core/job/events.ts';
import type { JobDetails } from '#core/job/view.ts';
import { shownText, withholdsContact } from '#core/job/withheld-fields.ts';
import { singleLine } from '#core/values/text.ts';

/** Most texts have nothing but these: there is nothing to take off then. */
const isPlain = /^[\0-\x7f]*$/;

/** One spelling for all ways to write a word: lower case, without accents and macrons, so that `hone` finds Hōne. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return isPlain.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

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
  const typed = [job.name, job.title, job.location.address].map((text) => shownText(job, text, '\n'));
  return foldText([...typed, singleLine(job.notes), ...contact].join('\n'));
}

/** The email, and the phone's digits with the country's code and as they are dialled at home. */
function contactTexts(email: string, phone: string): string[] {
  const digits = phone.replace(/\D/g, '');
  const national = /^\+6[14]/.test(phone) ? `0${digits.slice(2)}` : '';
  return [email, digits, national].filter(Boolean);
}

/**
 * The LIKE patterns of a search, folded, on one line, wildcards escaped: the text itself and, where it reads like part of a phone
 * number, its digits.
 */
export function searchPatterns(text: string): string[] {
  const wanted = foldText(singleLine(text));
  const digits = /^[\d\s()+-]+$/.test(wanted) ? wanted.replace(/\(0\)|\D/g, '') : '';
  const texts = digits.length >= 3 && digits !== wanted ? [wanted, digits] : [wanted];
  return texts.map((one) => `%${one.replace(/[\\%_]/g, '\\$&')}%`);
}
