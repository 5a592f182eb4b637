import { expect, test } from 'vitest';
import { tooManyRequests } from './answers.ts';

test.each([
  [0.2, '1', '1 second'],
  [40, '40', '40 seconds'],
  [59.5, '60', '1 minute'],
  [61, '61', '2 minutes'],
  [15 * 60, '900', '15 minutes'],
  [90 * 60, '5400', '90 minutes'],
  [90 * 60 + 1, '5401', '2 hours'],
  [4 * 3_600, '14400', '4 hours'],
])('a wait of %d s says when', (seconds, header, words) => {
  const { message, extra } = tooManyRequests(seconds);
  expect(extra.headers).toEqual({ 'retry-after': header });
  expect(message).toBe(`Too many attempts. Please try again in ${words}.`);
});
