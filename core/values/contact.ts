import type { Region } from './region.ts';

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

export const phoneMessage = 'Enter an Australian or New Zealand mobile number';

const RULES: Record<Region, RegExp> = {
  au: /^(?:\+61|0)?(4\d{8})$/,
  nz: /^(?:\+64|0)(2\d\d{6,9})$/,
};
const CODES: Record<Region, string> = { au: '+61', nz: '+64' };

/** No number is longer, however many spaces it holds: what is longer is refused unread. */
const LONGEST = 40;

/**
 * A mobile number as E.164 (`+61412345678`), or null when it is none of the region's; both regions when none is given.
 * Spaces, brackets and hyphens do not count.
 */
export function parsePhone(text: string, region?: Region): string | null {
  if (text.length > LONGEST) return null;
  const bare = text.replace(/[\s()[\]-]/g, '');
  for (const candidate of region ? [region] : (['au', 'nz'] as const)) {
    const national = RULES[candidate].exec(bare)?.[1];
    if (national) return CODES[candidate] + national;
  }
  return null;
}

/** E.164 in the form people read: `0412 345 678` or `021 123 45678`. Any other text comes back as it is. */
export function formatPhone(e164: string): string {
  if (parsePhone(e164) !== e164) return e164;
  return groupPhone(`0${e164.slice(3)}`).text;
}

/**
 * Groups a number while it is typed: `#### ### ###` for Australia, `### ### #####` for New Zealand.
 * `caret` is an index into the text; it comes back beside the same digit. A text with other characters stays as typed.
 */
export function groupPhone(text: string, caret = text.length): { text: string; caret: number } {
  if (!/^[\d\s()[\]-]*$/.test(text.replace(/^\s*\+/, ''))) return { text, caret };
  const bare = text.replace(/[^\d+]/g, '');
  const grouped = cut(bare, groupLengths(bare)).join(' ');
  const before = text.slice(0, caret).replace(/[^\d+]/g, '').length;
  return { text: grouped, caret: indexAfter(grouped, before) };
}

function groupLengths(bare: string): readonly number[] {
  if (bare.startsWith('+64')) return [3, 2, 3];
  if (bare.startsWith('+')) return [3, 3, 3];
  if (bare.startsWith('02')) return [3, 3];
  return bare.startsWith('0') ? [4, 3] : [3, 3];
}

function cut(bare: string, lengths: readonly number[]): string[] {
  const groups: string[] = [];
  let from = 0;
  for (const length of [...lengths, bare.length]) {
    if (from >= bare.length) break;
    groups.push(bare.slice(from, from + length));
    from += length;
  }
  return groups;
}

/** The index behind the nth character that is not a space. */
function indexAfter(grouped: string, n: number): number {
  let index = 0;
  for (let seen = 0; seen < n && index < grouped.length; index += 1) if (grouped[index] !== ' ') seen += 1;
  return index;
}
