import { expect, test } from 'vitest';
import { confirmProblem, newPasswordProblem } from './new-password.ts';

const good = 'Spanner#Wrench42';

test('a good password that was typed twice has no problem', () => {
  expect(newPasswordProblem({ newPassword: good, confirmPassword: good })).toBeNull();
});

test('the rules come before the repetition', () => {
  expect(newPasswordProblem({ newPassword: 'short', confirmPassword: 'other' })).toBe(
    'Your password needs to be at least 12 characters long.',
  );
  expect(newPasswordProblem({ newPassword: good, confirmPassword: 'other' })).toBe('Passwords do not match');
});

test.each([
  ['', false, null],
  ['Spanner', false, null],
  ['Spanner', true, 'Passwords do not match'],
  ['Spinner', false, 'Passwords do not match'],
  [good, true, null],
])('the repetition %j, left: %s, shows %j', (confirmPassword, isLeft, problem) => {
  expect(confirmProblem({ newPassword: good, confirmPassword }, isLeft)).toBe(problem);
});
