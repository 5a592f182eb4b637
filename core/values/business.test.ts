import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  introLength,
  introProblem,
  isAbn,
  isBusinessNumber,
  isNzbn,
  normaliseBusinessNumber,
} from './business.ts';

test('the words about a business may be 300 characters long', () => {
  expect(introLength).toBe(300);
  expect(introProblem('')).toBeNull();
  expect(introProblem('x'.repeat(300))).toBeNull();
  expect(introProblem('x'.repeat(301))).toBe('Use at most 300 characters');
});

const abn = '51824753556';
const nzbn = '9429000035170';

test('published numbers pass', () => {
  expect(isAbn(normaliseBusinessNumber('51 824 753 556'))).toBe(true);
  for (const pasted of [
    '\u202a51\u00a0824\u202f753 556\u202c',
    '51.824.753.556',
    '51\u2011824\u2013753-556',
    'ABN: 51 824 753 556',
    '\uff15\uff11824753556',
  ])
    expect(normaliseBusinessNumber(pasted)).toBe('51824753556');
  expect(normaliseBusinessNumber('NZBN 9429-0000-00000')).toBe('9429000000000');
  expect(normaliseBusinessNumber('51-824-753')).toBe('51-824-753');
  expect(normaliseBusinessNumber('24/7')).toBe('24/7');
  expect(isNzbn(nzbn)).toBe(true);
  expect(isNzbn('9429033362823')).toBe(true);
});

test('a number belongs to its region', () => {
  expect(isBusinessNumber(abn, 'au')).toBe(true);
  expect(isBusinessNumber(abn, 'nz')).toBe(false);
  expect(isBusinessNumber(nzbn, 'nz')).toBe(true);
  expect(isBusinessNumber(nzbn, 'au')).toBe(false);
});

test.each(['', '5182475355', '518247535566', '01824753556', '5182475355a', '51 824 753 556'])(
  '%j is no ABN',
  (text) => {
    expect(isAbn(text)).toBe(false);
  },
);

test.each(['', '942900003517', '94290000351700', '9419000035170', '942900003517x'])(
  '%j is no NZBN',
  (text) => {
    expect(isNzbn(text)).toBe(false);
  },
);

test('one wrong digit is always caught', () => {
  const slip = (number: string, at: number, by: number) =>
    [...number].map((digit, index) => (index === at ? (Number(digit) + by) % 10 : digit)).join('');
  fc.assert(
    fc.property(fc.nat(10), fc.nat(12), fc.integer({ min: 1, max: 9 }), (inAbn, inNzbn, by) => {
      expect(isAbn(slip(abn, inAbn, by))).toBe(false);
      expect(isNzbn(slip(nzbn, inNzbn, by))).toBe(false);
    }),
  );
});
