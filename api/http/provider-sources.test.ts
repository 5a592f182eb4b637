import { expect, test } from 'vitest';
import { providerSources } from './provider-sources.ts';

test('without providers no page may load from elsewhere', () => {
  expect(providerSources({ botCheck: { provider: 'altcha', cost: 1 }, tiles: null })).toEqual({});
});

test('tiles may be drawn from their origin, Turnstile may run and be framed from its own', () => {
  const tiles = { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '©' };
  const botCheck = { provider: 'turnstile', siteKey: 'k', secret: 's', url: 'https://x.example' } as const;
  expect(providerSources({ botCheck, tiles })).toEqual({
    'img-src': ['https://tiles.example'],
    'script-src': ['https://challenges.cloudflare.com'],
    'frame-src': ['https://challenges.cloudflare.com'],
  });
});
