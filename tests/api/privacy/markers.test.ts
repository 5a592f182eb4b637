import { describe, expect, test } from 'vitest';
import { findMarkers } from '#tests/support/scenarios/erasing.ts';

describe('a marker is found', () => {
  const word = 'Marker?of>the~test';
  const isFound = (text: string, marker = word) => findMarkers({ here: text }, { it: marker }).length > 0;

  test('as it is, in any case, as hex and at any place of base64', () => {
    expect(isFound(`{"a":"${word}"}`)).toBe(true);
    expect(isFound(word.toLowerCase())).toBe(true);
    expect(isFound(`\\x00${Buffer.from(word).toString('hex')}ff`)).toBe(true);
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const text = Buffer.from(`${before}${word} and more`);
      expect(isFound(text.toString('base64'))).toBe(true);
      expect(isFound(text.toString('base64url'))).toBe(true);
    }
    expect(isFound('Marker of the test')).toBe(false);
  });

  test('as a code where it stands alone, not within an id or a fraction of a second', () => {
    expect(isFound('"code":"471193"', '471193')).toBe(true);
    expect(isFound('the code 471193.', '471193')).toBe(true);
    expect(isFound('0198c0de-4711-7000-8000-471193000001', '471193')).toBe(false);
    expect(isFound('2026-11-20 10:12:13.471193+00', '471193')).toBe(false);
    expect(isFound('"sealed":"kQ471193zx+471193=="', '471193')).toBe(false);
  });

  test('and one that chance can make is refused', () => {
    expect(() => isFound('', 'Fenwick')).toThrow(RangeError);
    expect(() => isFound('', '61495')).toThrow(RangeError);
  });
});
