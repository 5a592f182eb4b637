import { emailMessage, isEmail, normaliseEmail } from './contact.ts';
import { notPlainTextMessage } from './job-form.ts';
import { countCharacters, isWellFormed, onOneLine, singleLine, tooLongMessage } from './text.ts';
import { isPhoneSomewhere, phoneMessage, readPhone } from './typed-phone.ts';

/** When a prospect who books a demo likes to be reached, as it is stored and as it reads. */
export const reachTimes = [
  { id: 'before-work', label: 'Before work' },
  { id: 'lunch', label: 'Lunch' },
  { id: 'after-4pm', label: 'After 4PM' },
] as const;
export type ReachTime = (typeof reachTimes)[number]['id'];

/** What a prospect types to book a demo. */
export type DemoRequestValues = Readonly<{
  name: string;
  businessName: string;
  phone: string;
  email: string;
  reachTime: string;
}>;
export type DemoRequestField = keyof DemoRequestValues;

/** The most characters a field holds, spaces around it not counted. */
export const demoRequestLengths: Record<DemoRequestField, number> = {
  name: 100,
  businessName: 100,
  phone: 40,
  email: 254,
  reachTime: 20,
};

const REQUIRED: Record<DemoRequestField, string> = {
  name: 'Full name is required',
  businessName: 'Business name is required',
  phone: phoneMessage,
  email: emailMessage,
  reachTime: 'Choose when we may reach you',
};

/** No country is asked for: a few numbers of New Zealand read like landlines of Sydney. */
const prefixMessage = 'Start a New Zealand mobile number with +64';

const RULES: Partial<Record<DemoRequestField, (text: string) => boolean>> = {
  phone: (text) => readPhone(text, null) !== null,
  email: (text) => isEmail(normaliseEmail(text)),
  reachTime: (text) => reachTimes.some(({ id }) => id === text),
};

const fields = Object.keys(demoRequestLengths) as DemoRequestField[];

/** What a prospect has to put right, by field; `{}` when the demo can be booked. The server says the same words. */
export function validateDemoRequest(values: DemoRequestValues): Partial<Record<DemoRequestField, string>> {
  const messages = fields.map((field) => [field, demoProblemOf(field, values[field])] as const);
  return Object.fromEntries(messages.filter(([, message]) => message !== null));
}

/** The message for one field as it stands, or null. */
export function demoProblemOf(field: DemoRequestField, text: string): string | null {
  if (!isWellFormed(text)) return notPlainTextMessage;
  const tidy = onOneLine(text);
  if (tidy.length === 0) return REQUIRED[field];
  if (countCharacters(tidy) > demoRequestLengths[field]) return tooLongMessage(demoRequestLengths[field]);
  if (RULES[field]?.(tidy) ?? true) return null;
  return field === 'phone' && isPhoneSomewhere(tidy) ? prefixMessage : REQUIRED[field];
}

/** A valid request in the spelling that is stored: each text on one line, the phone in E.164. */
export function normaliseDemoRequest(
  values: DemoRequestValues,
): Omit<DemoRequestValues, 'reachTime'> & Readonly<{ reachTime: ReachTime }> {
  return {
    name: singleLine(values.name),
    businessName: singleLine(values.businessName),
    phone: readPhone(singleLine(values.phone), null) ?? values.phone,
    email: normaliseEmail(values.email),
    reachTime: values.reachTime as ReachTime,
  };
}
