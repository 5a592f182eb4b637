import { describe, expect, test } from 'vitest';
import { songs } from '#tests/support/canaries.ts';

describe('a canary is heard', () => {
  const word = 'Canary?of>the~mine';
  const sings = (text: string, canary = word) => songs({ here: text }, { it: canary }).length > 0;

  test('as it is, in any case, as hex and at any place of base64', () => {
    expect(sings(`{"a":"${word}"}`)).toBe(true);
    expect(sings(word.toLowerCase())).toBe(true);
    expect(sings(`\\x00${Buffer.from(word).toString('hex')}ff`)).toBe(true);
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const text = Buffer.from(`${before}${word} and more`);
      expect(sings(text.toString('base64'))).toBe(true);
      expect(sings(text.toString('base64url'))).toBe(true);
    }
    expect(sings('Canary of the mine')).toBe(false);
  });

  test('as a code where it stands alone, not within an id or a fraction of a second', () => {
    expect(sings('"code":"471193"', '471193')).toBe(true);
    expect(sings('the code 471193.', '471193')).toBe(true);
    expect(sings('0198c0de-4711-7000-8000-471193000001', '471193')).toBe(false);
    expect(sings('2026-11-20 10:12:13.471193+00', '471193')).toBe(false);
  });
});
