import type { type } from 'arktype';
import { emailMessage, isEmail, normaliseEmail } from './contact.ts';
import type { Region } from './region.ts';
import { countCharacters, isWellFormed, severalLines, singleLine, tooLongMessage } from './text.ts';
import { isPhoneSomewhere, phoneMessage, readPhone } from './typed-phone.ts';

/** The fields of the public job form that a customer fills in, as arktype reads them. Every one is typed as text. */
export const jobRequestFields = {
  name: 'string',
  email: 'string',
  phone: 'string',
  address: 'string',
  title: 'string',
  'description?': 'string',
  'wishedTime?': 'string',
  'reachBy?': 'string',
} as const;

/** What the customer typed. */
export type JobRequestValues = Readonly<type.infer<typeof jobRequestFields>>;
export type JobRequestField = keyof JobRequestValues;

/** The most characters a field holds, spaces around it not counted. */
export const jobRequestLengths: Record<JobRequestField, number> = {
  name: 100,
  email: 254,
  phone: 40,
  address: 300,
  title: 100,
  description: 2000,
  wishedTime: 200,
  reachBy: 20,
};

/** What each field is called where a customer sees what they typed. */
export const jobRequestLabels: Record<JobRequestField, string> = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  title: 'Title',
  description: 'Description',
  wishedTime: 'Preferred time',
  reachBy: 'Best way to reach you',
};

/** How a customer likes to be reached best, with its words. */
export const waysToReach = { phone: 'Phone call', sms: 'SMS', email: 'Email' } as const;
export type WayToReach = keyof typeof waysToReach;

/** The most characters of a correction that a customer asks for. */
export const correctionLength = 500;

/** How much the answers to a form's questions may hold. */
export const answerLimits = { count: 60, length: 1000 } as const;
/** The consumer details that a question of the enquiry form can fill. */
export const consumerFields = [
  'budget',
  'referral',
  'serviceFrequency',
  'allergies',
  'parking',
  'pets',
  'homeType',
  'storeys',
  'bedrooms',
  'livingRooms',
  'bathrooms',
] as const;
export type ConsumerField = (typeof consumerFields)[number];

/** The most characters of a question that a tradie thought of. */
export const customQuestionLength = 100;

export const malformedMessage = 'This is not what the form expects here';
export const notPlainTextMessage = 'This text holds a character that cannot be saved';

const REQUIRED: Partial<Record<JobRequestField, string>> = {
  name: 'Full name is required',
  email: emailMessage,
  phone: phoneMessage,
  address: 'Job address is required',
  title: 'Say in a few words what needs fixing',
};

type Rule = readonly [holds: (text: string, country: Region | null) => boolean, message: string];
const RULES: Partial<Record<JobRequestField, Rule>> = {
  email: [(text) => isEmail(normaliseEmail(text)), emailMessage],
  phone: [
    (text, country) => (country ? readPhone(text, country) !== null : isPhoneSomewhere(text)),
    phoneMessage,
  ],
  reachBy: [isWayToReach, malformedMessage],
};

const fields = Object.keys(jobRequestLengths) as JobRequestField[];

/** A value for each field: how a form, a page or a test says all of them. */
export function eachField<T>(toValue: (field: JobRequestField) => T): Record<JobRequestField, T> {
  return Object.fromEntries(fields.map((field) => [field, toValue(field)])) as Record<JobRequestField, T>;
}

/**
 * What the customer has to put right, by field; `{}` when the request can be sent. The server says the same words.
 * @param country whose numbers need no prefix: that of the business; null while it is not known
 */
export function validateJobRequest(
  values: JobRequestValues,
  country: Region | null,
): Partial<Record<JobRequestField, string>> {
  const messages = fields.map((field) => [field, problemOf(field, values[field] ?? '', country)] as const);
  return Object.fromEntries(messages.filter(([, message]) => message !== null));
}

/** The message for one field as it stands, or null: what a form shows when the field is left. */
export function problemOf(field: JobRequestField, text: string, country: Region | null): string | null {
  if (!isWellFormed(text)) return notPlainTextMessage;
  const tidy = tidied(field, text);
  if (tidy === '') return REQUIRED[field] ?? null;
  if (countCharacters(tidy) > jobRequestLengths[field]) return tooLongMessage(jobRequestLengths[field]);
  const [holds, message] = RULES[field] ?? [() => true, null];
  return holds(text, country) ? null : message;
}

/** A valid request in the spelling that is stored: trimmed, one-line fields on one line, phone in E.164, `reachBy` empty unless said. */
export function normaliseJobRequest(
  values: JobRequestValues,
  country: Region,
): Required<Omit<JobRequestValues, 'reachBy'>> & { reachBy: WayToReach | '' } {
  const tidy = eachField((field) => tidied(field, values[field] ?? ''));
  const email = normaliseEmail(values.email);
  const phone = readPhone(values.phone, country) ?? values.phone;
  return { ...tidy, email, phone, reachBy: isWayToReach(tidy.reachBy) ? tidy.reachBy : '' };
}

function isWayToReach(text: string): text is WayToReach {
  return Object.hasOwn(waysToReach, text);
}

/** Only the description has lines. */
function tidied(field: JobRequestField, text: string): string {
  return field === 'description' ? severalLines(text).trim() : singleLine(text);
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 6;

/**
 * What a customer can read out on the phone: six characters of the job's id (a UUID), without I, L, O and U.
 * Says which job, opens nothing. Takes the end of the id, which is random in every UUID we mint.
 */
export function jobReference(jobId: string): string {
  let bits = Number.parseInt(jobId.replaceAll('-', '').slice(-8), 16);
  let reference = '';
  while (reference.length < LENGTH) {
    reference = ALPHABET.charAt(bits % ALPHABET.length) + reference;
    bits = Math.floor(bits / ALPHABET.length);
  }
  return reference;
}

/** Whether a text can be a reference, for a page that shows what its address says. */
export function isJobReference(text: string): boolean {
  return text.length === LENGTH && [...text].every((letter) => ALPHABET.includes(letter));
}

/**
 * The reference that a person typed or read out, as `jobReference` writes it: in any case, in groups, behind a `#`, with the letters I, L
 * and O for the digits that they look like (Crockford's base 32). Null for a text that is none.
 */
export function readJobReference(text: string): string | null {
  const letters = text.replace(/^\s*#|[\s-]/g, '').toUpperCase();
  const reference = letters.replace(/[IL]/g, '1').replace(/O/g, '0');
  return isJobReference(reference) ? reference : null;
}

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

/**
 * What has to be put right, by field; `{}` when the job can be created. Form and server say the same words.
 * @param country that of the business; null while it is not known
 */
export function validateNewJob(
  values: NewJobValues,
  country: Region | null,
): Partial<Record<NewJobField, string>> {
  const messages = (['name', 'email', 'phone', 'address', 'title', 'notes'] as const).map(
    (field) => [field, newJobProblem(field, values[field] ?? '', country)] as const,
  );
  return Object.fromEntries(messages.filter(([, message]) => message !== null));
}

/** The message for one field as it stands, or null. */
export function newJobProblem(field: NewJobField, text: string, country: Region | null): string | null {
  if (field === 'notes') return notesProblem(text);
  if (field === 'title' && singleLine(text) === '') return isWellFormed(text) ? null : notPlainTextMessage;
  return problemOf(field, text, country);
}

/** A valid job in the spelling that is stored. A job without a title is named after its customer. */
export function normaliseNewJob(values: NewJobValues, country: Region): Required<NewJobValues> {
  const name = singleLine(values.name);
  return {
    name,
    email: normaliseEmail(values.email),
    phone: readPhone(values.phone, country) ?? values.phone,
    address: singleLine(values.address),
    title: singleLine(values.title ?? '') || `Job for ${name}`,
    notes: severalLines(values.notes ?? ''),
  };
}

/** Whether everything is there that the Create Job button waits for. */
export function canCreateJob(values: NewJobValues, country: Region | null): boolean {
  return asked.every((field) => newJobProblem(field, values[field], country) === null);
}

function notesProblem(text: string): string | null {
  if (!isWellFormed(text)) return notPlainTextMessage;
  return countCharacters(severalLines(text)) > jobNotesLength ? notesTooLongMessage : null;
}
