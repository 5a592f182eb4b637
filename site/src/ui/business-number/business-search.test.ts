import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBusinessSearch } from './business-search.ts';
import { type FoundBusiness, searchBusinesses } from './businesses-api.ts';

vi.mock('./businesses-api.ts', () => ({ searchBusinesses: vi.fn() }));

const banksia = { bn: '51824753556', name: 'Banksia Plumbing Pty Ltd' } as FoundBusiness;
const asked = () => vi.mocked(searchBusinesses).mock.calls.map(([text, region]) => [text, region]);
const searchIn = (region: 'au' | 'nz') => createBusinessSearch(() => region);

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  vi.mocked(searchBusinesses).mockResolvedValue([banksia]);
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
  expect(search.$businesses.get()).toEqual({ found: [banksia], hasFailed: false });
  expect(search.$isPending.get()).toBe(false);
  search.type('');
  expect(search.$businesses.get()).toBeNull();
});

test('a newer keystroke ends the request, and its answer is not shown', async () => {
  const search = searchIn('au');
  let answer: (found: FoundBusiness[]) => void = () => undefined;
  vi.mocked(searchBusinesses).mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  search.type('ban');
  await vi.advanceTimersByTimeAsync(500);
  search.type('banx');
  expect(vi.mocked(searchBusinesses).mock.calls[0]?.[2].aborted).toBe(true);
  answer([banksia]);
  await vi.advanceTimersByTimeAsync(0);
  expect(search.$businesses.get()).toBeNull();
});

test('a failure finds nothing and shows an error, and so does a connection that hangs', async () => {
  vi.mocked(searchBusinesses).mockRejectedValueOnce(new Error('unavailable'));
  const search = searchIn('au');
  search.type('banksia');
  await vi.advanceTimersByTimeAsync(500);
  expect(search.$businesses.get()).toEqual({ found: [], hasFailed: true });
  vi.mocked(searchBusinesses).mockImplementationOnce(
    (_text, _region, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  );
  search.type('banksia p');
  await vi.advanceTimersByTimeAsync(8_500);
  expect(search.$businesses.get()?.hasFailed).toBe(true);
});
