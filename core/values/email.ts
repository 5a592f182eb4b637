/** The longest address a mail server has to take. */
export const maxEmailLength = 254;
export const emailMessage = 'Enter a valid email address';

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

/** A plain address such as `dave@acme.example`, after `normaliseEmail`: no display name, quotes or comments. */
export function isEmail(text: string): boolean {
  if (text.length > maxEmailLength) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return at > 0 && local.length <= 64 && LOCAL.test(local) && DOMAIN.test(text.slice(at + 1));
}

/** The one spelling under which an address is compared and stored: no spaces around it, lower case. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase();
}
