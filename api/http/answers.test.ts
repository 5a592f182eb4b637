import { expect, test } from 'vitest';
import { ConflictError, IllegalTransitionError, NotFoundError } from '#core/kernel/errors.ts';
import { HttpError, httpErrorFor, tooManyRequests } from './answers.ts';

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

test.each([
  [new HttpError('link-over', 'No'), 'link-over', 422],
  [new NotFoundError('No'), 'not-found', 404],
  [new IllegalTransitionError('No'), 'not-possible', 409],
  [new ConflictError('No'), 'not-possible', 409],
  [new ConflictError('No', 'taken'), 'taken', 409],
  [new Error('No'), 'failure', 500],
])('%s is answered as %s, %d', (error, code, status) => {
  expect(httpErrorFor(error)).toMatchObject({ code, status });
});
