import { type Region, regions } from './region.ts';

/** The country's code, and what follows it in a mobile number. */
export const mobiles: Readonly<Record<Region, Readonly<{ code: string; national: RegExp }>>> = {
  au: { code: '61', national: /^4\d{8}$/ },
  nz: { code: '64', national: /^2\d{7,10}$/ },
};

/** Whether a text is a mobile number in the one spelling that is stored, E.164. */
export function isStoredPhone(text: string): boolean {
  return regions.some((country) => {
    const { code, national } = mobiles[country];
    return text.startsWith(`+${code}`) && national.test(text.slice(3));
  });
}

/**
 * E.164 in the form people read: `0412 345 678` or `021 123 45678`; for a reader in the other country with its prefix, as
 * `readPhone` takes it back. Any other text comes back as it is.
 */
export function formatPhone(e164: string, reader: Region | null = null): string {
  if (!isStoredPhone(e164)) return e164;
  const isAbroad = reader !== null && !e164.startsWith(`+${mobiles[reader].code}`);
  return groupPhone(isAbroad ? e164 : `0${e164.slice(3)}`).text;
}

/**
 * Groups a number while it is typed: `#### ### ###` for Australia, `### ### #####` for New Zealand.
 * `caret` is an index into the text; it comes back beside the same digit. A text with other characters stays as typed, and so
 * does an area code, which its group alone tells from a mobile.
 */
export function groupPhone(text: string, caret = text.length): { text: string; caret: number } {
  if (!/^[\d\s()[\]-]*$/.test(text.replace(/^\s*\+/, '')) || AREA.test(text)) return { text, caret };
  const bare = text.replace(/[^\d+]/g, '');
  const grouped = cut(bare, groupLengths(bare)).join(' ');
  const before = text.slice(0, caret).replace(/[^\d+]/g, '').length;
  return { text: grouped, caret: indexAfter(grouped, before) };
}
const AREA = /^[\s([]*02[\s)\]-]/;

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
