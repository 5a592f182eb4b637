import { dictionary } from '@zxcvbn-ts/language-common';

/** What is put around a common word without making it a password: this many characters, or any run of digits like 123456. */
const TRIMMINGS = 8;
const STANDS_FOR: Readonly<Record<string, string>> = {
  ...{ '@': 'a', '4': 'a', '3': 'e', '1': 'i', '!': 'i', '|': 'l', '0': 'o', $: 's', '5': 's', '7': 't' },
};
const ROWS = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm', 'qazwsxedcrfvtgbyhnujmikolp'];

let list: ReadonlySet<string> | undefined;

/**
 * Whether a password is one of the 49,000 most common, or one of them in disguise: other case, symbols for letters,
 * repeated, or with a year and an exclamation mark. `own` are words that an attacker would try for this person.
 */
export function isCommonPassword(text: string, own: readonly string[] = []): boolean {
  list ??= new Set(dictionary['passwords-common']);
  const plain = text.normalize('NFC').toLowerCase();
  const personal = new Set(own.map((word) => word.toLowerCase()).filter((word) => word.length > 2));
  const isKnown = (word: string) => (list?.has(word) ?? false) || personal.has(word) || isPattern(word);
  if ([plain, withoutLeet(plain)].some((word) => isKnown(word) || isKnown(half(word)))) return true;
  // A symbol in front may stand for the first letter; one behind hardly ever does.
  const untailed = plain.replace(/[^\p{L}]+$/u, '');
  const bare = untailed.replace(/^[^\p{L}]+/u, '');
  const digits = plain.replace(bare, '').replace(/\D/g, '');
  const isTrimmed = plain.length - bare.length <= TRIMMINGS || isKnown(digits);
  const words = [bare, withoutLeet(bare), withoutLeet(untailed)];
  return isTrimmed && words.some((word) => isKnown(word) || isKnown(half(word)));
}

/** Symbols and digits as the letters that they stand for. */
function withoutLeet(word: string): string {
  return Array.from(word, (character) => STANDS_FOR[character] ?? character).join('');
}

/** The half of a word that is repeated; nothing of any other. */
function half(word: string): string {
  const first = word.slice(0, word.length / 2);
  return first + first === word ? first : '';
}

/** One to four characters over and over, or a walk along the alphabet or a keyboard. */
function isPattern(word: string): boolean {
  return /^(.{1,4})\1+$/u.test(word) || (word.length > 2 && ROWS.some((row) => row.includes(word)));
}
