import { expect, test } from 'vitest';
import { firstNameProblem, lastNameProblem, personNameProblems } from './person-name.ts';

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
