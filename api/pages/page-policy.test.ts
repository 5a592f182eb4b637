import { expect, test } from 'vitest';
import { withProviders } from './page-policy.ts';

const policy = "default-src 'self';img-src 'self' data:; script-src 'self' 'sha256-a='";

test('without providers a policy is unchanged', () => {
  expect(withProviders(policy, {})).toBe(
    "default-src 'self'; img-src 'self' data:; script-src 'self' 'sha256-a='",
  );
});

test('a provider joins its directive, and a missing directive starts from our own origin', () => {
  expect(
    withProviders(policy, {
      'img-src': ['https://tiles.example'],
      'frame-src': ['https://check.example', 'https://b.example'],
      'font-src': [],
    }),
  ).toBe(
    "default-src 'self'; img-src 'self' data: https://tiles.example; script-src 'self' 'sha256-a='; frame-src 'self' https://check.example https://b.example",
  );
});

test('a directive that a provider cannot live with is left out', () => {
  const strict = `${policy}; require-trusted-types-for 'script'; trusted-types ute-worker`;
  const without = ['require-trusted-types-for', 'trusted-types'];
  expect(withProviders(strict, { without })).toBe(withProviders(policy, {}));
});
