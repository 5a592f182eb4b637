/**
 * What a customer can be found by once the contact is no longer withheld: the email, and the phone's digits with the
 * country's code and as they are dialled at home.
 */
export function contactSearch(email: string, phone: string): string {
  const digits = phone.replace(/\D/g, '');
  const national = /^\+6[14]/.test(phone) ? `0${digits.slice(2)}` : '';
  return [email, digits, national].filter(Boolean).join('\n');
}

/**
 * The LIKE patterns of a search, wildcards escaped: the text itself and, where it reads like part of a phone number,
 * its digits.
 */
export function searchPatterns(text: string): string[] {
  const wanted = text.trim();
  const digits = /^[\d\s()+-]+$/.test(wanted) ? wanted.replace(/\(0\)|\D/g, '') : '';
  const texts = digits.length >= 3 && digits !== wanted ? [wanted, digits] : [wanted];
  return texts.map((one) => `%${one.replace(/[\\%_]/g, '\\$&')}%`);
}
