import { expect, test } from 'vitest';
import { loginErrorText } from './login-errors.ts';

test.each(['session-timed-out', 'Session timed out'])('%s shows the timed-out text', (code) => {
  expect(loginErrorText(code)).toBe('Session timed out');
});

test.each([
  null,
  '',
  'Call 1900 123 456',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
])('%j shows nothing', (code) => {
  expect(loginErrorText(code)).toBeNull();
});
