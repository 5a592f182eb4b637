import { describe, expect, test, vi } from 'vitest';
import { newPasswordProblem } from '#api/accounts/passwords.ts';

const common = 'This password is too common, please choose another.';

describe('a password that many have is refused, though it fits the five rules', () => {
  test.each([
    ...[
      'Password123!',
      'P@ssw0rd1234',
      'PASSWORD-password-1'.replace('-password', 'password'),
      'Qwertyuiop1!',
    ],
    ...['Welcome-2026', 'Summer2026!!', '!!Australia1', 'Iloveyou1234!', 'Letmein12345!', '$uNsHiNe2025!'],
    ...[
      'Aaaaaaaaaa1!',
      'Abababababa1!'.replace('ba1', 'b1'),
      'Abcdefghijk1!',
      'Password12345678!',
      'Aa1234567890!',
    ],
    ...['Qazwsxedc123!', 'Administrator1!'],
  ])('%s', (text) => {
    expect(newPasswordProblem(text)).toBe(common);
  });

  test('and so is one made of the person’s own email', () => {
    expect(newPasswordProblem('Davenguyen7!', 'davenguyen@acme.example')).toBe(common);
    expect(newPasswordProblem('Dave@acme.example1', 'dave@acme.example')).toBe(common);
    expect(newPasswordProblem('Davenguyen7!')).toBeNull();
  });
});

test.each([
  ...['Spanner#Wrench42', 'Correct-horse-7', 'Tāwhiri Ō 1 |é漢字', 'kZ7#vQ9!mB2$xL', 'Seed-12345-67890-7'],
  ...['Tiger-9302-Kumara', 'Purple-ute_on-Tuesday-3'],
])('%s is not a common password', (text) => {
  expect(newPasswordProblem(text)).toBeNull();
});

test('the rule that is broken first is reported first', () => {
  expect(newPasswordProblem('password')).toBe('Your password needs to be at least 12 characters long.');
  expect(newPasswordProblem('passwordpassword')).toBe('Add an uppercase letter');
  expect(newPasswordProblem(`Aa1!${'x'.repeat(125)}`)).toBe(
    'Your password can be at most 128 characters long.',
  );
});

test('the longest that may be takes a few look-ups in the list, and a longer one none', () => {
  const lookUps = vi.spyOn(Set.prototype, 'has');
  const needed = (text: string) => {
    lookUps.mockClear();
    newPasswordProblem(text);
    return lookUps.mock.calls.length;
  };
  try {
    const longest = [`Aa1!${'a'.repeat(124)}`, `Aa1!${'ab'.repeat(62)}`, `${'!'.repeat(125)}Aa1`];
    // Eleven words at most come of a password, and each is looked for in two sets.
    for (const text of longest) expect(needed(text)).toBeLessThanOrEqual(22);
    expect(needed('Correct-horse-7')).toBeGreaterThan(0);
    for (const text of longest) expect(needed(`${text}x`)).toBe(0);
  } finally {
    lookUps.mockRestore();
  }
});
