import { expect, test } from 'vitest';
import { passwordProblems } from './account.ts';

const tooShort = 'Your password needs to be at least 12 characters long.';

test('a good password has no problems', () => {
  for (const text of [
    'Correct-horse-7',
    `Aa1!${'x'.repeat(8)}`,
    `Aa1!${'x'.repeat(124)}`,
    'Tāwhiri Ō 1 |é漢字',
  ]) {
    expect(passwordProblems(text)).toEqual([]);
  }
});

test('an empty one lacks everything, in the order in which it is shown', () => {
  expect(passwordProblems('')).toEqual([
    tooShort,
    'Add an uppercase letter',
    'Add an lowercase letter',
    'Add a number',
    'Add a special character',
  ]);
});

test.each([
  ['Short-pass1', [tooShort]],
  ['lower-case-7x', ['Add an uppercase letter']],
  ['UPPER-CASE-7X', ['Add an lowercase letter']],
  ['No-number-here', ['Add a number']],
  ['NoSpecial77777', ['Add a special character']],
  ['alllowercaseletters', ['Add an uppercase letter', 'Add a number', 'Add a special character']],
])('%s: %j', (text, problems) => {
  expect(passwordProblems(text)).toEqual(problems);
});

test.each([...'~@#$%!^&*()_+-|'])('%s is a special character', (character) => {
  expect(passwordProblems(`Aaaaaaaaaaa1${character}`)).toEqual([]);
});

test.each([...' .,?/\\"\'<>=`[]{};:'])('%s is none', (character) => {
  expect(passwordProblems(`Aaaaaaaaaaa1${character}`)).toEqual(['Add a special character']);
});

test('a character outside the basic plane counts once', () => {
  expect(passwordProblems(`Aa1!${'👷'.repeat(7)}`)).toEqual([tooShort]);
  expect(passwordProblems(`Aa1!${'👷'.repeat(124)}`)).toEqual([]);
});

test('more than 128 characters are refused unread', () => {
  const problem = ['Your password can be at most 128 characters long.'];
  expect(passwordProblems(`Aa1!${'x'.repeat(125)}`)).toEqual(problem);
  expect(passwordProblems('x'.repeat(1_000_000))).toEqual(problem);
});
