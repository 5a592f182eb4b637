import { normaliseEmail, parsePhone } from './contact.ts';
import { type JobRequestField, notPlainTextMessage, problemOf, tooLongMessage } from './job-form.ts';
import { isWellFormed, singleLine } from './text.ts';

/** What a tradie types into the Add-job form; `address` is the formatted address that was chosen. */
export type NewJobValues = Readonly<{
  name: string;
  email: string;
  phone: string;
  address: string;
  title?: string;
  notes?: string;
}>;
export type NewJobField = keyof NewJobValues;

/** The most characters of a job's notes. */
export const jobNotesLength = 5_000;
export const notesTooLongMessage = tooLongMessage(jobNotesLength);

/** Asked for in the words of the public form. A title and notes are welcome, not required. */
const asked = ['name', 'email', 'phone', 'address'] as const satisfies readonly JobRequestField[];

/** What has to be put right, by field; `{}` when the job can be created. Form and server say the same words. */
export function validateNewJob(values: NewJobValues): Partial<Record<NewJobField, string>> {
  const messages = (['name', 'email', 'phone', 'address', 'title', 'notes'] as const).map(
    (field) => [field, newJobProblem(field, values[field] ?? '')] as const,
  );
  return Object.fromEntries(messages.filter(([, message]) => message !== null));
}

/** The message for one field as it stands, or null. */
export function newJobProblem(field: NewJobField, text: string): string | null {
  if (field === 'notes') return notesProblem(text);
  if (field === 'title' && singleLine(text) === '') return isWellFormed(text) ? null : notPlainTextMessage;
  return problemOf(field, text);
}

/** A valid job in the spelling that is stored. A job without a title is named after its customer. */
export function normaliseNewJob(values: NewJobValues): Required<NewJobValues> {
  const name = singleLine(values.name);
  return {
    name,
    email: normaliseEmail(values.email),
    phone: parsePhone(values.phone) ?? values.phone,
    address: singleLine(values.address),
    title: singleLine(values.title ?? '') || `Job for ${name}`,
    notes: values.notes ?? '',
  };
}

/** Whether everything is there that the Create Job button waits for. */
export function canCreateJob(values: NewJobValues): boolean {
  return asked.every((field) => newJobProblem(field, values[field]) === null);
}

function notesProblem(text: string): string | null {
  if (!isWellFormed(text)) return notPlainTextMessage;
  return text.length > jobNotesLength ? notesTooLongMessage : null;
}
