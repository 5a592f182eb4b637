import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCharacters } from '#core/values/text.ts';
import { fitted } from './text-limit.ts';

test.each([
  ['at the end', 'abcdx|', 4, 'abcd|'],
  ['in the middle', 'abxyz|cd', 4, 'ab|cd'],
  ['an emoji for the last room', 'abc👷|', 4, 'abc👷|'],
  ['an emoji too many', 'ab👷|cd', 4, 'ab|cd'],
  ['what has room', 'ab|c', 4, 'ab|c'],
  ['a text that was too long already', '|abcdef', 4, '|abcd'],
])('what is typed %s ends at the limit', (_name, typed, most, left) => {
  const caret = typed.indexOf('|');
  const fit = fitted(typed.replace('|', ''), caret, most);
  expect(`${fit.text.slice(0, fit.caret)}|${fit.text.slice(fit.caret)}`).toBe(left);
});

test('no text is longer afterwards than the limit, and one within it is left alone', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  fc.assert(
    fc.property(text, text, fc.nat(30), (before, after, most) => {
      const fit = fitted(before + after, before.length, most);
      expect(countCharacters(fit.text)).toBe(Math.min(most, countCharacters(before + after)));
      expect(fit.caret).toBeLessThanOrEqual(fit.text.length);
      expect(fit.text.isWellFormed()).toBe(true);
    }),
  );
});
