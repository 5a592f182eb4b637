import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBusinessSearch, type FoundBusiness } from './business-search.ts';

const searchBusinesses = vi.fn<NonNullable<Parameters<typeof createBusinessSearch>[1]>>();

const banksia = { bn: '51824753556', name: 'Banksia Plumbing Pty Ltd' } as FoundBusiness;
const asked = () => searchBusinesses.mock.calls.map(([text, region]) => [text, region]);
const searchIn = (region: 'au' | 'nz') => createBusinessSearch(region, searchBusinesses);

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  searchBusinesses.mockResolvedValue([banksia]);
});
afterEach(() => {
  vi.useRealTimers();
});

test('asks the register of the country for 3 characters or more, 500 ms after the last of them', async () => {
  const search = searchIn('nz');
  search.type('ba');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked()).toEqual([]);
  search.type('ban');
  expect(search.$isPending.get()).toBe(true);
  await vi.advanceTimersByTimeAsync(499);
  expect(asked()).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toEqual([['ban', 'nz']]);
  expect(search.$found.get()).toEqual({ text: 'ban', found: [banksia], hasFailed: false });
  expect(search.$isPending.get()).toBe(false);
  search.type('');
  expect(search.$found.get()).toBeNull();
});

test('a newer keystroke ends the request, and its answer is not shown', async () => {
  const search = searchIn('au');
  let answer: (found: FoundBusiness[]) => void = () => undefined;
  searchBusinesses.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  search.type('ban');
  await vi.advanceTimersByTimeAsync(500);
  search.type('banx');
  expect(searchBusinesses.mock.calls[0]?.[2].aborted).toBe(true);
  answer([banksia]);
  await vi.advanceTimersByTimeAsync(0);
  expect(search.$found.get()).toBeNull();
});

test('a failure finds nothing and shows an error, and so does a connection that hangs', async () => {
  searchBusinesses.mockRejectedValueOnce(new Error('unavailable'));
  const search = searchIn('au');
  search.type('banksia');
  await vi.advanceTimersByTimeAsync(500);
  expect(search.$found.get()).toEqual({ text: 'banksia', found: [], hasFailed: true });
  searchBusinesses.mockImplementationOnce(
    (_text, _region, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  );
  search.type('banksia p');
  await vi.advanceTimersByTimeAsync(8_500);
  expect(search.$found.get()?.hasFailed).toBe(true);
});
