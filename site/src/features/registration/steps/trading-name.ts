/** What a register writes behind the name of a company: its legal form, in the words of Australia and New Zealand. */
const legalForm = /[\s,]+(?:(?:pty|proprietary)\.?[\s,]+)?(?:ltd|limited)\.?$|[\s,]+pty\.?$/i;

/** Words that stay small inside a name. */
const smallWords = new Set(['and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'the', 'to', 'with']);

/**
 * The name that a registered business probably trades under: without its legal form, and in a case that people write.
 * A name that the register has in mixed case stays as it is; one in capitals or in small letters alone gets one capital a word.
 */
export function tradingNameOf(registered: string): string {
  const name = registered.trim().replace(/\s+/g, ' ');
  // A company may be called nothing else.
  const plain = name.replace(legalForm, '') || name;
  const isMixed = /\p{Ll}/u.test(plain) && /\p{Lu}/u.test(plain);
  if (isMixed) return plain;
  return plain
    .split(' ')
    .map((word, place) => wordInCase(word, place === 0))
    .join(' ');
}

function wordInCase(word: string, isFirst: boolean): string {
  const small = word.toLocaleLowerCase('en-AU');
  if (!isFirst && smallWords.has(small)) return small;
  // Initials have no vowel to speak them by, or a sign between them: `DJ`, `R&J`, `A.B.C.`.
  if (word === word.toLocaleUpperCase('en-AU') && isInitials(small)) return word;
  return small
    .replace(/(^|[-/(."])(\p{L})/gu, (_, before: string, letter: string) => before + capital(letter))
    .replace(
      /^(o'|o’|mc)(\p{L})/iu,
      (_, before: string, letter: string) => capital(before) + capital(letter),
    );
}

function isInitials(small: string): boolean {
  return (
    /^\p{L}([.&]\p{L})+\.?$/u.test(small) || (/^\p{L}{1,4}$/u.test(small) && !/[aeiouyāēīōū]/.test(small))
  );
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase('en-AU') + text.slice(1);
}
