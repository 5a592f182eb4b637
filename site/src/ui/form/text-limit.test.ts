import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCharacters } from '#core/values/text.ts';
import { endAt, type TextControl } from './text-limit.ts';

/** A control after something was typed in it. A `caret` of null is that of a field for an email. */
function ended(value: string, caret: number | null, most: number) {
  const control = {
    ...{ value, selectionEnd: caret },
    setSelectionRange: (_: number, end: number) => {
      control.selectionEnd = end;
    },
  };
  endAt(control as unknown as TextControl, most);
  return control;
}

test.each([
  ['at the end', 'abcdx|', 4, 'abcd|'],
  ['in the middle', 'abxyz|cd', 4, 'ab|cd'],
  ['an emoji for the last room', 'abc👷|', 4, 'abc👷|'],
  ['an emoji too many', 'ab👷|cd', 4, 'ab|cd'],
  ['what has room', 'ab|c', 4, 'ab|c'],
  ['a text that was too long already', '|abcdef', 4, '|abcd'],
])('what is typed %s ends at the limit', (_name, typed, most, left) => {
  const { value, selectionEnd } = ended(typed.replace('|', ''), typed.indexOf('|'), most);
  expect(`${value.slice(0, selectionEnd ?? 0)}|${value.slice(selectionEnd ?? 0)}`).toBe(left);
});

test('a field without a caret ends at its limit as well', () => {
  expect(ended('abcdef', null, 4)).toMatchObject({ value: 'abcd', selectionEnd: null });
});

test('no text is longer afterwards than the limit, and one within it is left alone', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  fc.assert(
    fc.property(text, text, fc.nat(30), (before, after, most) => {
      const { value } = ended(before + after, before.length, most);
      expect(countCharacters(value)).toBe(Math.min(most, countCharacters(before + after)));
      expect(value.isWellFormed()).toBe(true);
    }),
  );
});
