import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSlug, normaliseSlug, reservedSlugs, slugMessage } from './slug.ts';

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
