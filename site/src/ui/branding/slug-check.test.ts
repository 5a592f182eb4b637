import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SlugAnswer } from '#site/lib/profile-settings.ts';
import { createSlugCheck, slugProblem } from './PublicAddressField.tsx';

const checkSlug = vi.fn<(text: string, signal: AbortSignal) => Promise<SlugAnswer>>();
const openCheck = (own: string | null) => createSlugCheck(own, checkSlug);

beforeEach(() => {
  vi.useFakeTimers();
  checkSlug.mockReset().mockResolvedValue('available');
});
afterEach(() => void vi.useRealTimers());

test('under 3 characters and the own address are not checked', async () => {
  const check = openCheck('acme-plumbing');
  check.type('ac');
  check.type('Acme-Plumbing');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(checkSlug).not.toHaveBeenCalled();
  expect(check.$state.get()).toBe('none');
});

test('a rule that is broken or a reserved word is unavailable at once', () => {
  const check = openCheck(null);
  for (const text of ['acme!', 'x'.repeat(21), 'admin', 'café']) {
    check.type(text);
    expect(check.$state.get()).toBe('unavailable');
  }
});

test('anything else is asked for after 500 ms, and a newer keystroke cancels', async () => {
  const check = openCheck(null);
  check.type('acme');
  await vi.advanceTimersByTimeAsync(400);
  check.type('Acme 2');
  await vi.advanceTimersByTimeAsync(499);
  expect(checkSlug).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(checkSlug.mock.calls.map(([text]) => text)).toEqual(['acme2']);
  expect(check.$state.get()).toBe('available');
});

test('an answer that comes after another keystroke counts for nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<SlugAnswer>();
  checkSlug.mockReturnValueOnce(promise);
  const check = openCheck(null);
  check.type('acme');
  await vi.advanceTimersByTimeAsync(500);
  check.type('ac');
  resolve('taken');
  await vi.advanceTimersByTimeAsync(0);
  expect(check.$state.get()).toBe('none');
});

test('a server that cannot be asked leaves the saving possible', async () => {
  checkSlug.mockRejectedValueOnce(new Error('unavailable'));
  const check = openCheck(null);
  check.type('acme');
  await vi.advanceTimersByTimeAsync(500);
  expect(check.$state.get()).toBe('unchecked');
});

test('an address of another business has words of its own', async () => {
  checkSlug.mockResolvedValueOnce('taken');
  const check = openCheck(null);
  check.type('acme');
  await vi.advanceTimersByTimeAsync(500);
  expect(check.$state.get()).toBe('taken');
  expect(slugProblem('taken')).toBe('This domain is already taken. Try a different URL');
  expect(slugProblem('unavailable')).toBe('Sorry, that URL is not available');
  expect(slugProblem('available')).toBeNull();
});
