/** The longest text shown in one piece before it is cut. */
const truncateAt = 30;

/** The log and Postgres can both hold this text: no NUL, no half of a surrogate pair. */
export function isWellFormed(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * How many characters a text has where a limit, a counter or a field asks: code points, so that an emoji that UTF-16 writes in
 * two units is one. Not graphemes, which have no longest and differ by Unicode version (core/decisions/120).
 */
export function countCharacters(text: string): number {
  return [...text].length;
}

export const tooLongMessage = (most: number) => `Use at most ${most} characters`;

/** Letters and signs that never join: they are counted without a segmenter, whose first use costs a phone's browser 60 ms. */
const eachAlone = /^[ -~\u00a0-\u02ff\u2010-\u2027]*$/;

/** Cuts a text of more than `limit` characters, as people count them, and puts an ellipsis at the cut. */
export function truncate(text: string, limit = truncateAt): string {
  if (text.length <= limit) return text;
  if (eachAlone.test(text)) return `${text.slice(0, limit).trimEnd()}…`;
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  if (characters.length <= limit) return text;
  return `${characters.slice(0, limit).join('').trimEnd()}…`;
}

/** Of a search, once it is on one line: its fewest and its most characters. */
export const searchLength = { min: 3, max: 100 } as const;

/** Marks that show nothing and turn or join what stands beside them; tags, of which only the flags of England, Scotland and Wales are made. */
const unseen =
  /(\u{1f3f4}[\u{e0020}-\u{e007f}]+)|[\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
/** Letters that are blank are blanks too. */
const blank = /[\s\p{Cc}\u115f\u1160\u2800\u3164\uffa0]+/gu;
/** Joiners belong between two characters, as in 👩‍🔧. */
const loose = /(?<=^| )[\u200c\u200d]+|[\u200c\u200d]+(?= |$)/g;

/** Some letters take a mark twice, as in phonetics, and none three times. The vowels of Thai and Lao behave as marks. */
const heaped = /([\p{M}\u0e33\u0eb3])\1{2,}/gu;
/** What no long character is without, so that few texts need a segmenter. */
const mayJoin = /[^\s!-~]{13}/u;

/**
 * The text with its heaps of marks cut, and each character to twelve code points: 👨🏽‍👩🏽‍👧🏽‍👦🏽 has eleven, the longest of Indic and
 * Tibetan texts fewer. A browser breaks no line within a character, however many marks it has: one of ninety
 * would push the buttons of a page out of the window.
 */
export function withoutHeaps(text: string): string {
  const single = text.replace(heaped, '$1$1');
  const cut = mayJoin.test(single)
    ? Array.from(new Intl.Segmenter().segment(single), (one) => [...one.segment].slice(0, 12).join('')).join(
        '',
      )
    : single;
  // What stays may join what follows.
  return cut === text ? text : withoutHeaps(cut);
}

/**
 * One line without ends: line breaks, tabs and other control characters become a single space; what is invisible and changes how the
 * rest is read (U+202E and such) is left out.
 */
export function onOneLine(text: string): string {
  return text.replace(unseen, '$1').replace(blank, ' ').replace(loose, '').replace(/ +/g, ' ').trim();
}

/** A text as it is stored where one line is asked for: `onOneLine`, heaps of marks cut. */
export function singleLine(text: string): string {
  return onOneLine(withoutHeaps(onOneLine(text)));
}

/** What ends a line where people write or paste: forms send CR and LF, word processors VT and FF. */
const lineEnd = /\r\n?|[\v\f]/g;
/** Controls that no text needs, and some of which a terminal obeys. Line feed, tab and NEL, a line break as U+2028 is one, stay. */
const control = /(?![\n\t\x85])\p{Cc}/gu;

/**
 * A text of several lines as it is stored: lines end with a line feed, other control characters but tabs and NEL are left out, heaps of
 * marks cut. What stands around it stays.
 */
export function severalLines(text: string): string {
  return withoutHeaps(text.replace(lineEnd, '\n').replace(control, ''));
}

/** Most texts have nothing but these: there is nothing to take off then. */
const isPlain = /^[\0-\x7f]*$/;
/** Left out: apostrophes, quotes and full stops, whichever a keyboard has, and invisible characters. */
const notCompared = /['"`.‘’‚‛“”„‟′ʹʻʼʽˈ\p{M}\p{Cf}]/gu;
/** Between words like a blank: hyphens, dashes, the minus sign, commas and control characters. */
const betweenWords = /[\s\p{Cc},\p{Pd}−]+/gu;

/**
 * One spelling, on one line, for all ways to type a text: lower case, without accents, macrons, apostrophes and dots, words apart by
 * single blanks, so that `obrien` finds O’Brien, `st kilda` St. Kilda and `hone` Hōne.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  // The acute accent that some keyboards give for an apostrophe decomposes into a blank and a mark.
  const plain = isPlain.test(lower) ? lower : lower.replaceAll('´', '').normalize('NFKD');
  return plain.replace(notCompared, '').normalize('NFC').replace(betweenWords, ' ').trim();
}
