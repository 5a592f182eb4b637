import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasMarkAtEdge,
  isOpenSlug,
  isSlug,
  normaliseSlug,
  reservedSlugs,
  slugMessage,
  slugSkeleton,
  slugsFrom,
} from './slug.ts';

test('a slug is 3-20 characters of letters, digits, hyphen or underscore', () => {
  for (const text of ['abc', 'acme-plumbing', 'a_1', '---', 'a'.repeat(20)]) expect(isSlug(text)).toBe(true);
  for (const text of [
    '',
    'ab',
    'a'.repeat(21),
    'acme plumbing',
    'Acme',
    'acme.plumbing',
    'acme/x',
    '../etc',
  ]) {
    expect(isSlug(text)).toBe(false);
  }
  expect(slugMessage).toBe('Sorry, that URL is not available');
});

test('spaces go and letters become small before the check', () => {
  expect(normaliseSlug(' Acme  Plumbing\t')).toBe('acmeplumbing');
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (text) => normaliseSlug(normaliseSlug(text)) === normaliseSlug(text),
    ),
  );
});

test('only ASCII gets through', () => {
  for (const text of ['ａcme', 'аcme', 'tāwhiri', 'acme\u200b', 'acme\0'])
    expect(isSlug(normaliseSlug(text))).toBe(false);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => !isSlug(text) || /^[\x21-\x7e]{3,20}$/.test(text)),
  );
});

describe('words of the product itself', () => {
  test.each(reservedSlugs.filter((word) => word.length >= 3))('%s is reserved, in every disguise', (word) => {
    for (const disguise of [
      word,
      word.toUpperCase(),
      `${word}-`,
      `_${word}`,
      `${word.slice(0, 2)}-${word.slice(2)}`,
    ]) {
      expect(isSlug(normaliseSlug(disguise))).toBe(false);
    }
  });

  test('each is listed once, in the letters that are compared', () => {
    expect(new Set(reservedSlugs).size).toBe(reservedSlugs.length);
    for (const word of reservedSlugs) expect(word).toMatch(/^[a-z0-9]{3,20}$/);
  });

  test('a name that merely holds one is free', () => {
    expect(isSlug('admin-plumbing')).toBe(true);
    expect(isSlug('www-dave')).toBe(true);
  });
});

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
])('%s and %s do not read alike', (one, other) => {
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

  test.each([
    'mygov',
    'my-gov',
    'rnyg0v',
    'mygov-refund',
    'ato',
    'at0',
    'auspost',
    'ird',
    'commbank-au',
    'kiwi-bank',
    'utepay',
  ])('does not pass for another as %s', (slug) => {
    expect(isOpenSlug(slug)).toBe(false);
    expect(isSlug(slug)).toBe(true);
  });

  test('may hold such a word', () => {
    for (const slug of [
      'adm1n-plumbing',
      'www-dave',
      'support-cranes',
      'acme',
      'spark-electrical',
      'tomato',
      'origin-gas',
    ])
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

const first = (name: string) => slugsFrom(name, 'a1b2c3d4e5f6').next().value;

test.each([
  ['banksia plumbing', 'banksia-plumbing'],
  ['Kōwhai Cleaning', 'kowhai-cleaning'],
  ['Dan’s Drains & Gutters', 'dans-drains-and'],
  ['Smith, Jones & Co.', 'smith-jones-and-co'],
  ['Supercalifragilisticexpialidocious', 'supercalifragilistic'],
  ['admin', 'admin-2'],
  ['Adrnin', 'adrnin-2'],
  ['AJ', 'aj-1'],
  ['永春', 'business-1'],
])('%s gets %s', (name, slug) => {
  expect(first(name)).toBe(slug);
});

test('who comes later gets a number, and at last letters of their own', () => {
  const all = [...slugsFrom('wattle plumbing', 'a1b2c3d4e5f6')];
  expect(all.slice(0, 3)).toEqual(['wattle-plumbing', 'wattle-plumbing-2', 'wattle-plumbing-3']);
  expect(all.at(-5)).toBe('wattle-plumbing-a1b2');
  expect(new Set(all.map(slugSkeleton)).size).toBe(all.length);
});

test('whatever the name, every one is an address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' })), (name) => {
      const all = [...slugsFrom(name, '0123456789ab')];
      expect(all.length).toBeGreaterThan(20);
      expect(all.filter((slug) => !isOpenSlug(slug) || hasMarkAtEdge(slug))).toEqual([]);
    }),
  );
});
