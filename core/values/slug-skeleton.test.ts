import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSlug, reservedSlugs } from './slug.ts';
import { hasMarkAtEdge, isOpenSlug, slugSkeleton } from './slug-skeleton.ts';

const slugs = fc.stringMatching(/^[a-z0-9_-]{3,20}$/);

test.each([
  ['acme-plumbing', 'acmeplumbing'],
  ['acme-plumbing', 'acme_plumbing'],
  ['acme-plumbing', 'Acme--Plumbing'],
  ['acme-plumbing', 'acme-plurnbing'],
  ['acme-plumbing', 'acme-p1umbing'],
  ['bobs-solar', 'b0bs-s0lar'],
  ['lily', '1i1y'],
  ['bess', 'be55'],
  ['wattle', 'vvattle'],
  ['wattle', 'v-v-attle'],
  ['zed-8', '2ecl-b'],
  ['quick-9', '9uick-q'],
])('%s and %s read alike', (one, other) => {
  expect(slugSkeleton(one)).toBe(slugSkeleton(other));
});

test.each([
  ['acme-plumbing', 'acme-plumbing-2'],
  ['acme-2', 'acme-3'],
  ['bobs', 'robs'],
  ['vvv', 'www'],
  ['dan', 'ian'],
])('%s and %s do not', (one, other) => {
  expect(slugSkeleton(one)).not.toBe(slugSkeleton(other));
});

test('numbers stay apart, so that a numbered address is always another one', () => {
  const numbers = Array.from({ length: 1_000 }, (_, n) => slugSkeleton(`acme-${n}`));
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('a skeleton is its own skeleton, and marks or case never change it', () => {
  fc.assert(
    fc.property(slugs, fc.nat(), (slug, at) => {
      const skeleton = slugSkeleton(slug);
      expect(slugSkeleton(skeleton)).toBe(skeleton);
      const place = at % (slug.length + 1);
      expect(slugSkeleton(`${slug.slice(0, place)}-${slug.slice(place)}`)).toBe(skeleton);
      expect(slugSkeleton(slug.toUpperCase())).toBe(skeleton);
    }),
  );
});

describe('an address that a business may come to', () => {
  test.each(reservedSlugs.filter((word) => word.length >= 3))('does not read like %s', (word) => {
    const disguises = [
      word.replaceAll('o', '0'),
      word.replaceAll('l', '1').replaceAll('i', '1'),
      word.replaceAll('s', '5'),
      word.replaceAll('m', 'rn'),
      word.replaceAll('w', 'vv'),
      `${word.slice(0, 1)}_${word.slice(1)}-`,
    ].filter((text) => text.length <= 20);
    expect(disguises.filter(isOpenSlug)).toEqual([]);
  });

  test('may hold such a word', () => {
    for (const slug of ['adm1n-plumbing', 'www-dave', 'support-cranes', 'acme'])
      expect(isOpenSlug(slug)).toBe(true);
  });

  test('is a slug', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !isOpenSlug(text) || isSlug(text)));
  });
});

test.each([...['-acme', '_acme', 'acme-', 'acme_', '---']])('%s begins or ends with a mark', (slug) => {
  expect(hasMarkAtEdge(slug)).toBe(true);
  expect(hasMarkAtEdge('acme-2_b')).toBe(false);
});
