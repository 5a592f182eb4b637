/** The longest address a mail server has to take. */
export const maxEmailLength = 254;
export const emailMessage = 'Enter a valid email address';

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|xn--[A-Za-z0-9-]{1,58}[A-Za-z0-9])$/;

/** A plain address such as `dave@acme.example`, after `normaliseEmail`: no display name, quotes or comments. */
export function isEmail(text: string): boolean {
  if (text.length > maxEmailLength) return false;
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return at > 0 && local.length <= 64 && LOCAL.test(local) && DOMAIN.test(text.slice(at + 1));
}

/**
 * The one spelling under which an address is compared and stored: no spaces around it, nothing that cannot be seen, lower case, its
 * domain in ASCII (`xn--…`) however it was typed.
 */
export function normaliseEmail(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  const [local = '', domain = '', ...more] = plain
    .replace(/^mailto:/i, '')
    .toLowerCase()
    .split('@');
  return more.length > 0 || domain === '' ? plain.toLowerCase() : `${local}@${asciiDomain(domain)}`;
}

/** A domain as mail servers know it; what a URL would not take for a host alone stays as it is. */
function asciiDomain(domain: string): string {
  if (/^[ -~]*$/.test(domain) || domain.length > maxEmailLength || /[\s/?#:\\%[\]]/.test(domain))
    return domain;
  const url = `https://${domain}`;
  return URL.canParse(url) ? new URL(url).hostname : domain;
}

/** The link that begins a mail to an address, whatever signs it has: `?` and `&` in it begin no subject and no copy. */
export function mailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
}
