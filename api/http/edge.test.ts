import { expect, test } from 'vitest';
import { assertOwnOrigin } from './edge.ts';

const own = ['https://jobs.example.com'];

test.each([
  ['our own page, says the browser', { 'sec-fetch-site': 'same-origin' }],
  ['our own page, in an older browser', { origin: 'https://jobs.example.com' }],
  ['no browser', {}],
])('a form from %s is taken', (_name, headers) => {
  expect(() => assertOwnOrigin(new Headers(headers), own)).not.toThrow();
});

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a neighbour under the same domain', { 'sec-fetch-site': 'same-site' }],
  [
    'another site that claims our origin',
    { 'sec-fetch-site': 'cross-site', origin: 'https://jobs.example.com' },
  ],
  ['another site, in an older browser', { origin: 'https://evil.example' }],
  ['a page that hides where it is', { origin: 'null' }],
  ['our name without encryption', { origin: 'http://jobs.example.com' }],
])('a form from %s is refused', (_name, headers) => {
  expect(() => assertOwnOrigin(new Headers(headers as Record<string, string>), own)).toThrow(
    'This form was sent from another site',
  );
});
