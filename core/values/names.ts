import { countCharacters } from './text.ts';
import { namesAnAddress } from './web-address.ts';

/** Lengths in characters of the name that a business goes by. */
export const businessNameLength = { min: 3, max: 100 } as const;
/** Lengths of a first or last name in characters. */
export const personNameLength = { min: 3, max: 100 } as const;

/** A name stands in mail to people who may not know the business: it leads nowhere. */
export const nameWithAddressMessage = 'Use a name without a web or email address in it';

/** What is wrong with the name that a business goes by, null when nothing is. Spaces around it do not count. */
export function businessNameProblem(text: string): string | null {
  const { min, max } = businessNameLength;
  const length = countCharacters(text.trim());
  if (length === 0) return 'Business name is required';
  if (length < min) return `Business name must be at least ${min} characters long`;
  if (length > max) return `Business name can be at most ${max} characters long`;
  return namesAnAddress(text) ? nameWithAddressMessage : null;
}

/** What is wrong with a first name, null when nothing is. Spaces around it do not count. */
export function firstNameProblem(text: string): string | null {
  return problem('First name', text);
}

/** What is wrong with a last name, null when nothing is. Spaces around it do not count. */
export function lastNameProblem(text: string): string | null {
  return problem('Last name', text);
}

type Names = Readonly<{ firstName?: string; lastName?: string }>;

/** What is wrong with names, by field; `{}` when nothing is. A name that is absent is not looked at. */
export function personNameProblems({ firstName, lastName }: Names): Record<string, string> {
  const first = firstName === undefined ? null : firstNameProblem(firstName);
  const last = lastName === undefined ? null : lastNameProblem(lastName);
  return { ...(first ? { firstName: first } : {}), ...(last ? { lastName: last } : {}) };
}

function problem(label: string, text: string): string | null {
  const length = countCharacters(text.trim());
  if (length === 0) return `${label} is required`;
  if (length < personNameLength.min) {
    return `${label} must be at least ${personNameLength.min} characters long`;
  }
  if (length > personNameLength.max) return `${label} can be at most ${personNameLength.max} characters long`;
  return namesAnAddress(text) ? nameWithAddressMessage : null;
}
