/** The longest text shown in one piece before it is cut. */
const truncateAt = 30;

/** The log and Postgres can both hold this text: no NUL, no half of a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * How many characters a text has where a limit, a counter or a field asks: code points, so that an emoji that UTF-16 writes in
 * two units is one.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether a text has more than `most` characters. A code point has two units at most: a huge text is not counted. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && (text.length > 2 * most || countCharacters(text) > most);
}

/** The first `most` characters of a text. */
export function firstCharacters(text: string, most: number): string {
  return isLongerThan(text, most)
    ? Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join('')
    : text;
}

export const tooLongMessage = (most: number) => `Use at most ${most} characters`;

/** Cuts a text of more than `limit` characters, as people count them, and puts an ellipsis at the cut. */
export function truncate(text: string, limit = truncateAt): string {
  if (text.length <= limit) return text;
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (characters.length <= limit) return text;
  return `${characters.slice(0, limit).join('').trimEnd()}…`;
}

/** Of a search, once it is on one line: its fewest and its most characters. */
export const searchLength = { min: 3, max: 100 } as const;

/** One line without ends: line breaks, tabs and other control characters become a single space. */
export function singleLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
