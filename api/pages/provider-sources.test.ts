import { expect, test } from 'vitest';
import { providerSources } from './provider-sources.ts';

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
