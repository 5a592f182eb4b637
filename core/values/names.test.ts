import { expect, test } from 'vitest';
import { businessNameProblem, firstNameProblem, lastNameProblem, personNameProblems } from './names.ts';

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

test.each([
  ['Aroha', null],
  ['Tāne', null],
  [' Bob ', null],
  ['', 'First name is required'],
  ['  ', 'First name is required'],
  ['Jo', 'First name must be at least 3 characters long'],
  [' J ', 'First name must be at least 3 characters long'],
  ['x'.repeat(100), null],
  ['x'.repeat(101), 'First name can be at most 100 characters long'],
])('first name %j: %s', (text, problem) => {
  expect(firstNameProblem(text)).toBe(problem);
});

test('a last name is told by its own name', () => {
  expect(lastNameProblem('')).toBe('Last name is required');
  expect(lastNameProblem('Ng')).toBe('Last name must be at least 3 characters long');
  expect(lastNameProblem('Nguyen')).toBeNull();
});

test('names are judged by field, and what is absent is not', () => {
  expect(personNameProblems({ firstName: '', lastName: 'Ng' })).toEqual({
    firstName: 'First name is required',
    lastName: 'Last name must be at least 3 characters long',
  });
  expect(personNameProblems({ lastName: 'Nguyen' })).toEqual({});
});

test('no person is called by an address', () => {
  expect(firstNameProblem('evil.top/pay')).toBe('Use a name without a web or email address in it');
  expect(lastNameProblem('O’Brien-Smith Jr.')).toBeNull();
});
