import { expect, test } from 'vitest';
import {
  isFlag,
  isListOf,
  isMapOf,
  isNumber,
  isOneOf,
  isRecord,
  isText,
  orMissing,
  orNull,
  readShaped,
} from './shape.ts';

const shape = isRecord({
  ...{ name: isText, count: isNumber, isOn: isFlag, kind: isOneOf(['a', 'b']) },
  ...{ note: orMissing(isText), place: orNull(isRecord({ lat: isNumber })) },
  ...{ lines: isListOf(isText), answers: isMapOf(isText) },
});
const good = { name: 'n', count: 1, isOn: true, kind: 'a', place: null, lines: ['x'], answers: { q: 'a' } };

test('what has the shape is read, with whatever else it has', () => {
  expect(readShaped(JSON.stringify(good), shape)).toEqual(good);
  const more = { ...good, note: 'n', place: { lat: 1 }, other: 1 };
  expect(readShaped(JSON.stringify(more), shape)).toEqual(more);
});

test.each([
  ...[{ name: 1 }, { count: '1' }, { isOn: 'yes' }, { kind: 'c' }, { note: null }],
  ...[
    { place: {} },
    { place: undefined },
    { lines: [1] },
    { lines: {} },
    { answers: [] },
    { answers: { q: 1 } },
  ],
])('%j in place of its fields is nothing', (broken) => {
  expect(readShaped(JSON.stringify({ ...good, ...broken }), shape)).toBeNull();
});

test.each([null, '', '{', 'null', '[]', '1', '"text"'])('%j is nothing', (text) => {
  expect(readShaped(text, shape)).toBeNull();
});
