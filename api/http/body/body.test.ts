import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEPTH_LIMIT, KEY_LIMIT, parseJson, VALUE_LIMIT } from './body.ts';

/** The sentence of the refusal, null when there is none. */
function refusalOf(json: string): string | null {
  try {
    parseJson(json);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const TOO_DEEP = 'The request nests too deep';
const NOT_JSON = 'The request is not JSON';
const TWICE = 'A name in the request was sent twice';
const TOO_MANY_NAMES = 'The request holds too many names';
const TOO_MANY_VALUES = 'The request holds too many values';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, item) => sum + valuesOf(item), 1);
}

const nasty = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', ',', 'x', '\n', '\u00e9') });
const anyJson = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'max' },
    ...[nasty, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(true, false, null)],
    fc.array(tie('node'), { maxLength: 2 }),
    fc.dictionary(nasty, tie('node'), { maxKeys: 2 }),
  ),
})).node;

test('JSON is accepted as far as its depth allows, whatever its texts hold', () => {
  const wrapped = fc.tuple(anyJson, fc.integer({ min: 0, max: DEPTH_LIMIT + 3 }));
  fc.assert(
    fc.property(wrapped, ([inner, times]) => {
      let whole: unknown = inner;
      for (let n = 0; n < times; n += 1) whole = n % 2 ? [whole] : { '"[\\': whole };
      expect(refusalOf(JSON.stringify(whole))).toBe(depthOf(whole) <= DEPTH_LIMIT ? null : TOO_DEEP);
    }),
  );
});

test('a text that never ends is left to the parser', () => {
  expect(refusalOf(`{"a":"${'['.repeat(100)}`)).toBe(NOT_JSON);
  expect(refusalOf(`${'['.repeat(DEPTH_LIMIT + 1)}`)).toBe(TOO_DEEP);
  expect(refusalOf(`{"a":"\\\\",${'['.repeat(DEPTH_LIMIT)}`)).toBe(TOO_DEEP);
});

describe('values', () => {
  test('are counted as JSON.parse would find them, whatever stands between', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        // Depth is another rule's.
        fc.pre(depthOf(value) < DEPTH_LIMIT - 1);
        const room = VALUE_LIMIT - valuesOf(value) - 1;
        const full = [value, ...Array<number>(room).fill(0)];
        expect(refusalOf(JSON.stringify(full, null, indent))).toBeNull();
        expect(refusalOf(JSON.stringify([...full, 0], null, indent))).toBe(TOO_MANY_VALUES);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    ['numbers', '-1.5e+3'],
    ['literals', 'null'],
    ['texts', '""'],
    ['arrays', '[]'],
    ['objects', '{}'],
  ])('%s are counted', (_what, one) => {
    const listOf = (count: number) => `[${Array<string>(count).fill(one).join(',')}]`;
    expect(refusalOf(listOf(VALUE_LIMIT - 1))).toBeNull();
    expect(refusalOf(listOf(VALUE_LIMIT))).toBe(TOO_MANY_VALUES);
  });
});

test('what is accepted is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(anyJson, fc.constantFrom(undefined, 2), (value, indent) => {
      fc.pre(depthOf(value) <= DEPTH_LIMIT);
      const json = JSON.stringify(value, null, indent);
      expect(parseJson(json)).toEqual(JSON.parse(json));
    }),
  );
});

test.each([
  '',
  '{',
  '[1,]',
  '{"a" 1}',
  '{"a":1 "b":2}',
  '{1:2}',
  '[1 2]',
  '}',
  '{"a":1}}',
  'nul',
  '"',
  '{"a":1,}',
])('%j is no JSON', (json) => {
  expect(refusalOf(json)).toBe(NOT_JSON);
});

test('a number is as long as JavaScript writes any, and not endless', () => {
  for (const number of [-Number.MAX_VALUE, Number.MIN_VALUE, -1 / 3, 1e21]) {
    expect(refusalOf(JSON.stringify([number]))).toBeNull();
  }
  expect(refusalOf(`{"a":[-${'1'.repeat(200)}]}`)).toBe('A number in the request is too long');
});

describe('keys', () => {
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

  test('are counted in each object by itself', () => {
    const full = JSON.stringify(named(KEY_LIMIT));
    expect(refusalOf(`[${full},${full},{"in":${full}}]`)).toBeNull();
    expect(refusalOf(`[{"in":${JSON.stringify(named(KEY_LIMIT + 1))}}]`)).toBe(TOO_MANY_NAMES);
  });

  test.each([
    ['at the top', '{"a":1,"a":1}'],
    ['deep inside', '[{"b":[{"a":1,"c":{"a":2},"a":[]}]}]'],
    ['with others between', '{ "a" : {"x":1} , "b" : [1,{"a":2}] , "a" : 3 }'],
    ['spelled in two ways', String.raw`{"a":1,"\u0061":2}`],
    ['spelled in two ways, the escape first', String.raw`{"\u0061\n":1,"a\u000a":2}`],
    ['that are empty', '{"":1,"":2}'],
    ['that reach into prototypes', '{"__proto__":1,"__proto__":2}'],
  ])('that are there twice are refused: %s', (_where, json) => {
    expect(refusalOf(json)).toBe(TWICE);
  });

  test.each([
    ['in two objects', '[{"a":1},{"a":1}]'],
    ['inside one another', '{"a":{"a":{"a":1}},"b":{"a":1}}'],
    ['as value and key', '{"a":"a","b":["a","a"]}'],
    ['as values with commas', '{"a":"x,\\"a\\":1,","b":[","]}'],
    ['in another case', '{"a":1,"A":2}'],
  ])('that only look alike are accepted: %s', (_where, json) => {
    expect(refusalOf(json)).toBeNull();
  });

  test('a broken escape in one is not JSON', () => {
    expect(refusalOf(String.raw`{"\u00zz":1}`)).toBe(NOT_JSON);
  });

  test('no well-formed JSON that JavaScript writes is refused for a key', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 })), (value) => {
        fc.pre(Object.keys(value).length <= KEY_LIMIT && valuesOf(value) <= VALUE_LIMIT);
        expect(refusalOf(JSON.stringify(value))).toBeNull();
      }),
    );
  });
});
