import { expect, test } from 'vitest';
import { businessNameProblem, introLength, introProblem } from './business-details.ts';

test.each([
  ['Acme Plumbing', null],
  [' Bob ', null],
  ['山本工', null],
  ['', 'Business name is required'],
  [' \t ', 'Business name is required'],
  ['Jo', 'Business name must be at least 3 characters long'],
  ['💧💧', 'Business name must be at least 3 characters long'],
  ['x'.repeat(100), null],
  ['Fixit.com.au', 'Use a name without a web or email address in it'],
  ['Ring bob@fixit', 'Use a name without a web or email address in it'],
  ['x'.repeat(101), 'Business name can be at most 100 characters long'],
])('business name %j: %s', (text, problem) => {
  expect(businessNameProblem(text)).toBe(problem);
});

test('the words about a business may be 300 characters long', () => {
  expect(introLength).toBe(300);
  expect(introProblem('')).toBeNull();
  expect(introProblem('x'.repeat(300))).toBeNull();
  expect(introProblem('x'.repeat(301))).toBe('Use at most 300 characters');
});
