import { namesAnAddress } from './web-address.ts';

/** Lengths in characters of the name that a business goes by. */
export const businessNameLength = { min: 3, max: 100 } as const;
/** The most characters of the text under "About us". */
export const introLength = 300;

/** A name stands in mail to people who may not know the business: it leads nowhere. */
export const nameWithAddressMessage = 'Use a name without a web or email address in it';

/** What is wrong with the name that a business goes by, null when nothing is. Spaces around it do not count. */
export function businessNameProblem(text: string): string | null {
  const { min, max } = businessNameLength;
  const { length } = [...text.trim()];
  if (length === 0) return 'Business name is required';
  if (length < min) return `Business name must be at least ${min} characters long`;
  if (length > max) return `Business name can be at most ${max} characters long`;
  return namesAnAddress(text) ? nameWithAddressMessage : null;
}

/** What is wrong with the words about the business, null when nothing is. */
export function introProblem(text: string): string | null {
  return text.length > introLength ? `Use at most ${introLength} characters` : null;
}
