import { expect, test } from 'vitest';
import { providerSources, withProviders } from './pages.ts';

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

const tiles = { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '©' };
const botCheck = {
  provider: 'turnstile',
  cost: 1,
  siteKey: 'k',
  secret: 's',
  url: 'https://x.example',
} as const;
const turnstile = ['https://challenges.cloudflare.com'];
const without = ['require-trusted-types-for', 'trusted-types'];

test('without providers no page may load from elsewhere', () => {
  const sources = providerSources({ botCheck: { provider: 'altcha', cost: 1 }, tiles: null });
  expect(sources('/register/tradie')).toEqual({});
});

test('the wizard may draw tiles from their origin, and run and frame Turnstile from its own', () => {
  expect(providerSources({ botCheck, tiles })('/register/tradie')).toEqual({
    'img-src': ['https://tiles.example'],
    'script-src': turnstile,
    'frame-src': turnstile,
    without,
  });
});

test.each(['/t/acme', '/book-demo'])('%s asks for a bot check and draws no map', (path) => {
  expect(providerSources({ botCheck, tiles })(path)).toEqual({
    'script-src': turnstile,
    'frame-src': turnstile,
    without,
  });
});

test.each(['/', '/login', '/reset-password', '/profile', '/answer/abc', '/terms'])(
  '%s loads from nowhere else, whatever is configured',
  (path) => {
    expect(providerSources({ botCheck, tiles })(path)).toEqual({});
  },
);
