import { isSlug, reservedSlugs } from './slug.ts';

/**
 * Characters that read like others, and what they are compared as. 0, 1, I and m are in confusables.txt of Unicode TR39 (`i`
 * goes with `I`, because case does not count); the others are added: they read alike in a link or on the side of a car.
 */
const prototypes: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'l', i: 'l', '2': 'z', '5': 's', '8': 'b', '9': 'g', q: 'g' },
  ...{ m: 'rn', w: 'vv', d: 'cl' },
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

const reserved = new Set(reservedSlugs.map(slugSkeleton));

/** Whether an address begins or ends with `-` or `_`: in a text it reads like the one without. */
export function hasMarkAtEdge(slug: string): boolean {
  return /^[-_]|[-_]$/.test(slug);
}

/**
 * Whether a business may take this address as a new one, if no other has it or one that reads alike: a slug that reads like
 * no word of the product. What a business has already only needs to be a slug.
 */
export function isOpenSlug(text: string): boolean {
  return isSlug(text) && !reserved.has(slugSkeleton(text));
}
