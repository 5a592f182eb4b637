import { imitatedAnywhere, imitatedSlugs } from './imitated-slugs.ts';

/** The last part of a business's public address, `{host}/t/{slug}`. */
export const slugLength = { min: 3, max: 20 } as const;
export const slugMessage = 'Sorry, that URL is not available';
/** The message about an address that another business has. */
export const slugTaken = { title: 'This domain is already taken.', message: 'Try a different URL' } as const;

/** Words that would pass for a page or a person of the product itself. */
export const reservedSlugs: readonly string[] = `
  about account accounts admin administrator api app assets auth authenticate billing blog book
  bookdemo chat chatbot contact dashboard demo dev docs email error faq feedback files
  forgotpassword form forms ftp health help home host info internal job jobs kel legal live login
  logout mail media metrics news null official openapi owner password pay payment payments plans
  plus postmaster pricing privacy pro profile public register registration resetpassword root sales
  security sent settings signin signup site starter static staff status support system team terms
  test undefined ute utehelp utesupport verify webmaster workorder workorders www
`
  .trim()
  .split(/\s+/);

const reserved = new Set(reservedSlugs);

/** Spaces out, lower case: what a person types becomes what the address shows. */
export function normaliseSlug(text: string): string {
  return text.replace(/\s/g, '').toLowerCase();
}

/** 3 to 20 letters, digits, hyphens or underscores, after `normaliseSlug`, and no reserved word in disguise. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9_-]{3,20}$/.test(text) && !reserved.has(text.replace(/[-_]/g, ''));
}

/**
 * Characters that read like others, and what they are compared as. 0, 1, I and m are in confusables.txt of Unicode TR39 (`i`
 * goes with `I`, because case does not count); the others are added: they read alike in a link or on the side of a car.
 */
const prototypes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '2': 'z',
  '5': 's',
  '8': 'b',
  '9': 'g',
  q: 'g',
  m: 'rn',
  w: 'vv',
  d: 'cl',
};

/**
 * What an address is compared by: two that read alike have one skeleton. Follows the `skeleton` function of Unicode TR39
 * section 4, confusable detection, for the characters that an address may have (ASCII letters, digits, `-` and `_`): each
 * is replaced by its prototype, and the results are compared, never shown. Case and the marks `-` and `_` do not count.
 * The result can be longer than the address, and is empty for one of marks alone.
 */
export function slugSkeleton(slug: string): string {
  const letters = slug.toLowerCase().replace(/[-_]/g, '');
  return Array.from(letters, (letter) => prototypes[letter] ?? letter).join('');
}

/** Whether an address begins or ends with `-` or `_`: in a text it reads like the one without. */
export function hasMarkAtEdge(slug: string): boolean {
  return /^[-_]|[-_]$/.test(slug);
}

/**
 * Whether a business may take this address as a new one, if no other has it or one that reads alike: a slug that reads like
 * no word of the product, and like no office, bank or carrier. What a business has already only needs to be a slug.
 */
export function isOpenSlug(text: string): boolean {
  closed ??= {
    whole: new Set([...reservedSlugs, ...imitatedSlugs].map(slugSkeleton)),
    anywhere: imitatedAnywhere.map(slugSkeleton),
  };
  const skeleton = slugSkeleton(text);
  return (
    isSlug(text) && !closed.whole.has(skeleton) && !closed.anywhere.some((part) => skeleton.includes(part))
  );
}

/** Skeletons of what is closed to all. */
let closed: Readonly<{ whole: ReadonlySet<string>; anywhere: readonly string[] }> | undefined;

/**
 * Addresses that a business of this name could have, the best first: its own name, cut between words where it is too long,
 * then the same with a number behind it. `mark` (letters and digits) stands behind the last ones, where all numbers are taken.
 */
export function* slugsFrom(name: string, mark: string): Generator<string> {
  const words = plain(name);
  const whole = cut(words, slugLength.max);
  if (isOpenSlug(whole)) yield whole;
  for (let number = whole.length < slugLength.min ? 1 : 2; number <= MOST_NUMBERED; number += 1) {
    const slug = join(words, String(number));
    if (isOpenSlug(slug)) yield slug;
  }
  for (let length = 4; length <= mark.length && length <= 12; length += 2)
    yield join(words, mark.slice(0, length));
}

const MOST_NUMBERED = 30;
/** For a name of which nothing can stand in an address. */
const NAMELESS = 'business';

function join(words: string, ending: string): string {
  return `${cut(words || NAMELESS, slugLength.max - ending.length - 1)}-${ending}`;
}

/** At most that many letters, between two words where there are two. */
function cut(words: string, most: number): string {
  if (words.length <= most) return words;
  const space = words.lastIndexOf('-', most);
  return words.slice(0, space >= slugLength.min ? space : most).replace(/-+$/, '');
}

/** Letters without their marks, digits, and hyphens for all else. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
