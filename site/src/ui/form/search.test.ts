import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSearch } from './search.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('three characters are searched for after 500 ms', async () => {
  const found = vi.fn(async () => undefined);
  const search = createSearch(found);
  search.type('tap');
  expect(search.$isPending.get()).toBe(true);
  await vi.advanceTimersByTimeAsync(499);
  expect(found).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(found).toHaveBeenCalledExactlyOnceWith('tap');
  expect(search.$isPending.get()).toBe(false);
});

test('a newer keystroke cancels the search that waits', async () => {
  const found = vi.fn(async () => undefined);
  const search = createSearch(found);
  search.type('tap');
  await vi.advanceTimersByTimeAsync(400);
  search.type('taps');
  await vi.advanceTimersByTimeAsync(600);
  expect(found).toHaveBeenCalledExactlyOnceWith('taps');
});

test('fewer than three characters search for nothing, and stop what waits', async () => {
  const found = vi.fn(async () => undefined);
  const search = createSearch(found);
  search.type('tap');
  search.type('ta');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(found).not.toHaveBeenCalled();
  expect(search.$isPending.get()).toBe(false);
});

test('an empty field searches at once with an empty text', () => {
  const found = vi.fn(async () => undefined);
  createSearch(found).type('  ');
  expect(found).toHaveBeenCalledExactlyOnceWith('');
});

test('Enter does not wait', async () => {
  const found = vi.fn(async () => undefined);
  createSearch(found).submit('hot water ');
  await vi.advanceTimersByTimeAsync(0);
  expect(found).toHaveBeenCalledExactlyOnceWith('hot water');
});

test('the spinner stays until the result of the latest search is there', async () => {
  const waiting: (() => void)[] = [];
  const search = createSearch(() => new Promise<void>((resolve) => waiting.push(resolve)));
  search.submit('tap');
  await vi.advanceTimersByTimeAsync(0);
  search.submit('taps');
  await vi.advanceTimersByTimeAsync(0);
  waiting[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(search.$isPending.get()).toBe(true);
  waiting[1]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(search.$isPending.get()).toBe(false);
});
