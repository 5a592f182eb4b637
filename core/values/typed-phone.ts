import { mobiles } from './phone.ts';
import { plainNumber } from './plain-signs.ts';
import { type Region, regions } from './region.ts';

export const phoneMessage = 'Enter an Australian or New Zealand mobile number';

/** No number is longer, whatever stands between its digits: what is longer is refused unread. */
const LONGEST = 40;
/** What a link or a card has before a number. */
const LABEL = /^\W*(?:tel|sms|callto|phone|ph|mobile|mob|cell|[mpt])[\s:.]/i;
/** What people put between digits; a slash among them is looked at twice, as it also means "or". */
const BETWEEN = /(?:%20|[\s()[\]{}.·•∙‧・。_⁃'"‘’“”-])+/gu;
const SLASH = / ?[/\\⁄∕][ /\\⁄∕]*/gu;

/**
 * A mobile number as E.164 (`+61412345678`), or null when it is none: read as a person in that country dials it, a number of the
 * other country by its prefix alone. Without a country only what one of the two could mean. Marks that people paste along do
 * not count.
 */
export function readPhone(text: string, country: Region | null): string | null {
  if (text.length > LONGEST) return null;
  const plain = plainNumber(text).replace(LABEL, '').replace(/^%2B/i, '+');
  const groups = plain
    .replace(BETWEEN, ' ')
    .replace(SLASH, '/')
    .replace(/^[ ,;:/]+|[ ,;:/]+$/g, '');
  if (!/^\+?[ \d/]+$/.test(groups)) return null;
  return withPrefix(groups) ?? (country ? dialled(groups, country) : dialledSomewhere(groups));
}

/** After `+61`, `0061`, Australia's `0011 61`, or the code alone. */
function withPrefix(groups: string): string | null {
  const [, code, rest = ''] = /^(?:\+|00|0011)? ?(61|64)(.*)$/.exec(groups) ?? [];
  const country = regions.find((region) => mobiles[region].code === code);
  return country ? mobileOf(rest, country) : null;
}

/** '02' as a group of its own is an area code of Australia: no mobile of New Zealand is written so. */
function dialled(groups: string, country: Region): string | null {
  return /^(?:\+|0?2[ /])/.test(groups) ? null : mobileOf(groups, country);
}

/** Ten digits in one piece that begin with 023 to 029 may be a mobile of New Zealand or a landline of New South Wales. */
function dialledSomewhere(groups: string): string | null {
  return /^02[3-9]\d{7}$/.test(groups) ? null : (dialled(groups, 'au') ?? dialled(groups, 'nz'));
}

/** The number in groups without its prefix. '021 123 456/7' names two numbers: what stands before its last slash is whole. */
function mobileOf(groups: string, country: Region): string | null {
  const { code, national } = mobiles[country];
  const bare = groups.replaceAll(' ', '');
  const before = bare.slice(0, Math.max(0, bare.lastIndexOf('/')));
  const [digits, whole] = [bare, before].map((text) => text.replaceAll('/', '').replace(/^0/, ''));
  return digits && national.test(digits) && !national.test(whole ?? '') ? `+${code}${digits}` : null;
}

/** Whether people in either country write a mobile number so. */
export function isPhoneSomewhere(text: string): boolean {
  return regions.some((country) => readPhone(text, country) !== null);
}
