import { describe, expect, test } from 'vitest';
import { loginErrorText, ownPath } from './session-storage.ts';

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

const own = ['/', '/profile', '/jobs/all?search=leaking%20tap', '/jobs/details/0192f#notes', '/t/acme'];

const foreign = [
  null,
  undefined,
  '',
  'profile',
  ' /profile',
  'https://evil.example',
  'https:evil.example',
  'http://evil.example/profile',
  'HTTPS://EVIL.EXAMPLE',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://evil.example/1',
  'mailto:a@evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '//evil.example/profile',
  '//evil.example@ute.example',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/\0/evil.example',
  '\t//evil.example',
  '\u00a0//evil.example',
  '/\u2028/evil.example',
  '/./\\evil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%09\t/evil.example',
  '/profile\r\nSet-Cookie: a=b',
  '@evil.example',
  '?next=//evil.example',
  '#//evil.example',
  '.evil.example',
  '/é',
  `/${'a'.repeat(2_000)}`,
];

describe('the way back after login', () => {
  test.each(own)('%j is our own', (path) => {
    expect(ownPath(path)).toBe(path);
  });

  test.each(foreign)('%j leads to the dashboard', (path) => {
    expect(ownPath(path)).toBe('/');
  });

  test.each(['/login', '/login?next=/login', '/logout', '/logout/'])('%s would go in circles', (path) => {
    expect(ownPath(path)).toBe('/');
  });

  test('what it gives resolves to the origin it is used on', () => {
    for (const path of [...own, ...foreign]) {
      expect(new URL(ownPath(path), 'https://ute.example').origin).toBe('https://ute.example');
    }
  });
});
