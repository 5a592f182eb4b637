import { slugLength } from './slug.ts';
import { isOpenSlug } from './slug-skeleton.ts';

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
