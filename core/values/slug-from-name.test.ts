import fc from 'fast-check';
import { expect, test } from 'vitest';
import { slugsFrom } from './slug-from-name.ts';
import { hasMarkAtEdge, isOpenSlug, slugSkeleton } from './slug-skeleton.ts';

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
