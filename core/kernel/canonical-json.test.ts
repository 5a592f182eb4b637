import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, type Json } from '#core/kernel/canonical-json.ts';

test('the example of RFC 8785: keys by UTF-16 units', () => {
  const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
  expect(canonicalJson(value)).toBe(
    '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\ud83d\ude00":5,"\ufb33":3}',
  );
});

test('the example of RFC 8785: numbers and literals', () => {
  const numbers = JSON.parse('[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0]');
  expect(canonicalJson({ numbers, literals: [null, true, false] })).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0]}',
  );
});

test('any JSON value has one text, which reads back as the value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = canonicalJson(value as Json);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test.each([
  ['{"b":1,"10":2,"9":3}', '{"10":2,"9":3,"b":1}'],
  [
    '{"a":[{"z":{"2":[],"10":{}}}],"__proto__":{"b":1,"a":"\\ud800"}}',
    '{"__proto__":{"a":"\\ud800","b":1},"a":[{"z":{"10":{},"2":[]}}]}',
  ],
])(
  'keys that an object does not keep in order, and the name of its prototype, are keys like others: %s',
  (text, canonical) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical);
  },
);

test.each([
  [[undefined], new Array(1)],
  [{ 1: new Date(0) }, { 1: [Number.NaN] }],
  [{ toJSON: () => 'other' }, { __proto__: { inherited: 1 } }],
])('nor what hides in a list or behind such a key: %o and %o', (...values) => {
  for (const value of values) expect(() => canonicalJson(value as unknown as Json)).toThrow(TypeError);
});

test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, new Date(0), new Map(), () => 1])(
  'what JSON cannot say is refused: %s',
  (value) => {
    expect(() => canonicalJson({ value } as unknown as Json)).toThrow(TypeError);
  },
);
