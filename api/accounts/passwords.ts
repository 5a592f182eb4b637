import { randomUUID } from 'node:crypto';
import { dictionary } from '@zxcvbn-ts/language-common';
import { invalid } from '#api/http/answers.ts';
import { createGate, type Turn } from '#api/http/gate.ts';
import type { Config } from '#api/runtime/config/config.ts';
import { passwordProblems } from '#core/values/account.ts';
import { product } from '#core/values/product.ts';

const commonPasswordMessage = 'This password is too common, please choose another.';

/** What is wrong with a password that a person chooses, null when nothing is. Their email makes their own name common. */
export function newPasswordProblem(text: string, email = ''): string | null {
  const [problem] = passwordProblems(text);
  if (problem !== undefined) return problem;
  const own = [product.name, email, email.slice(0, Math.max(0, email.lastIndexOf('@')))];
  return isCommonPassword(text, own) ? commonPasswordMessage : null;
}

type NewPassword = Readonly<{ newPassword: string; confirmPassword?: string }>;

/** Throws 422 for a password that breaks a rule, is common (for the owner of `email` too), or is not the same twice. */
export function assertNewPassword(
  { newPassword, confirmPassword = newPassword }: NewPassword,
  email = '',
): void {
  if (newPassword !== confirmPassword) {
    throw invalid({ confirmPassword: 'Passwords do not match' }, 'Passwords do not match');
  }
  const problem = newPasswordProblem(newPassword, email);
  if (problem !== null) throw invalid({ newPassword: problem }, 'Password Error');
}

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
function isCommonPassword(text: string, own: readonly string[] = []): boolean {
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

/** Argon2id's passes over the memory of a hash. */
const PASSES = 2;

/** Hashes at once in this process (each takes 19 MiB and a core for about 40 ms, where nothing else is configured), and how many more may wait, altogether and of one source. */
const ROOM = { atOnce: 4, waiting: 64, ofSource: 16 };

export type Passwords = Readonly<{
  /** A PHC string. Throws 429 when too many are waiting and 408 once the client has gone, as does `matches`. */
  hash(password: string, turn?: Turn): Promise<string>;
  /** Takes as long for no hash (an unknown account) as for a wrong password. */
  matches(password: string, hash: string | null, turn?: Turn): Promise<boolean>;
  /** Whether a hash was made with less work than today's. */
  isOutdated(hash: string): boolean;
}>;

const gate = createGate(ROOM);
const byMemory = new Map<number, Passwords>();

/** The passwords of this process: their hashes are Argon2id with the memory that the configuration says. */
export function passwordsOf({ passwordMemory }: Pick<Config, 'passwordMemory'>): Passwords {
  const passwords = byMemory.get(passwordMemory) ?? createPasswords(passwordMemory);
  byMemory.set(passwordMemory, passwords);
  return passwords;
}

/** Passwords are hashed as they were typed, composed to NFC so that every keyboard writes the same letter. */
function createPasswords(memoryCost: number): Passwords {
  const argon2 = { algorithm: 'argon2id', memoryCost, timeCost: PASSES } as const;
  let decoy: Promise<string> | undefined;
  return {
    hash: (password, turn) => gate.run(() => Bun.password.hash(password.normalize('NFC'), argon2), turn),
    async matches(password, hash, turn) {
      decoy ??= Bun.password.hash(randomUUID(), argon2);
      const against = hash ?? (await decoy);
      const same = await gate.run(() => Bun.password.verify(password.normalize('NFC'), against), turn);
      return same && hash !== null;
    },
    isOutdated(hash) {
      const [, memory, passes] = /^\$argon2id\$v=\d+\$m=(\d+),t=(\d+),/.exec(hash) ?? [];
      return !(Number(memory) >= memoryCost && Number(passes) >= PASSES);
    },
  };
}
