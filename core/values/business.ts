import { plainNumber } from './plain-signs.ts';
import type { Region } from './region.ts';
import { countCharacters, severalLines, tooLongMessage } from './text.ts';

/** The most characters of the text under "About us". */
export const introLength = 300;

/** What is wrong with the words about the business, null when nothing is. Spaces around them do not count. */
export function introProblem(text: string): string | null {
  return countCharacters(severalLines(text).trim()) > introLength ? tooLongMessage(introLength) : null;
}

/** What a business number is called where the business is. */
export const businessNumberLabels: Record<Region, string> = { au: 'ABN', nz: 'NZBN' };

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

/** The digits alone, in plain signs: people copy a number with its label and with what stands between its digits. */
export function normaliseBusinessNumber(text: string): string {
  const typed = plainNumber(text)
    .replace(/^\W*(?:abn|nzbn)\b\W*/i, '')
    .replace(/\s/g, '');
  const digits = typed.replace(/[.\-/]/g, '');
  // '24/7' is the beginning of a name.
  return isAbn(digits) || isNzbn(digits) ? digits : typed;
}

/** Eleven digits whose weighted sum, with one taken off the first, divides by 89. */
export function isAbn(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const sum = ABN_WEIGHTS.reduce(
    (total, weight, index) => total + weight * (Number(digits[index]) - (index === 0 ? 1 : 0)),
    0,
  );
  return sum % 89 === 0;
}

/** A GS1 number of New Zealand's register: 9429, then digits, the last one a check digit. */
export function isNzbn(digits: string): boolean {
  if (!/^9429\d{9}$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return sum % 10 === 0;
}

/** A business number of that region, after `normaliseBusinessNumber`. */
export function isBusinessNumber(digits: string, region: Region): boolean {
  return region === 'nz' ? isNzbn(digits) : isAbn(digits);
}
