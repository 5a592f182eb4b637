const EMAIL = /[^\s@<>()]{1,64}@[^\s@<>()]{1,250}/g;
/** Eight digits or more, with what people put between them; a date is none. */
const PHONE = /(?<!\d)(?!\d{4}-\d\d-\d\d)\+?\d(?:[ ().-]{0,3}\d){7,}/g;
const HIDDEN = '(contact hidden)';

/** A text of the customer's without email addresses and phone numbers in it: those are in the app, once the job is accepted. */
export function withoutContact(text: string): string {
  return text.replace(EMAIL, HIDDEN).replace(PHONE, HIDDEN);
}
