import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertJsonDepth, DEPTH_LIMIT } from './well-formed.ts';

function isLetIn(json: string): boolean {
  try {
    assertJsonDepth(json);
    return true;
  } catch {
    return false;
  }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('JSON is let in as far as its depth allows, whatever its texts hold', () => {
  const nasty = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'x', '\n') });
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'max' },
      nasty,
      fc.array(tie('node'), { maxLength: 2 }),
      fc.dictionary(nasty, tie('node'), { maxKeys: 2 }),
    ),
  })).node;
  const wrapped = fc.tuple(value, fc.integer({ min: 0, max: DEPTH_LIMIT + 3 }));
  fc.assert(
    fc.property(wrapped, ([inner, times]) => {
      let whole: unknown = inner;
      for (let n = 0; n < times; n += 1) whole = n % 2 ? [whole] : { '"[\\': whole };
      expect(isLetIn(JSON.stringify(whole))).toBe(depthOf(whole) <= DEPTH_LIMIT);
    }),
  );
});

test('a text that never ends is left to the parser', () => {
  expect(isLetIn(`{"a":"${'['.repeat(100)}`)).toBe(true);
  expect(isLetIn(`${'['.repeat(DEPTH_LIMIT + 1)}`)).toBe(false);
  expect(isLetIn(`{"a":"\\\\",${'['.repeat(DEPTH_LIMIT)}`)).toBe(false);
});
