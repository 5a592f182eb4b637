import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type AddressSource, addressAsTyped, createAddressSearch } from './address-search.ts';

const fetchSuggestions = vi.fn<AddressSource['fetchSuggestions']>();
const fetchAddress = vi.fn<AddressSource['fetchAddress']>();
const openSearch = () => createAddressSearch({ fetchSuggestions, fetchAddress });

const blyth = { id: 'p1', address: '14 Blyth Street, Brunswick VIC 3056' };
const asked = () => fetchSuggestions.mock.calls.map(([text]) => text);

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  fetchSuggestions.mockResolvedValue([blyth]);
});
afterEach(() => {
  vi.useRealTimers();
});

test('asks for three characters or more, 500 ms after the last of them', async () => {
  const search = openSearch();
  search.type('14');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked()).toEqual([]);
  search.type('14 B');
  await vi.advanceTimersByTimeAsync(499);
  search.type('14 Bl');
  await vi.advanceTimersByTimeAsync(499);
  expect(asked()).toEqual([]);
  expect(search.$isPending.get()).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked()).toEqual(['14 Bl']);
  expect(search.$found.get()).toEqual({ text: '14 Bl', found: [blyth], hasFailed: false });
  expect(search.$isPending.get()).toBe(false);
  search.type('1');
  expect(search.$found.get()).toBeNull();
});

test('a newer keystroke ends the request, and its answer is not shown', async () => {
  const search = openSearch();
  let answer: (found: (typeof blyth)[]) => void = () => undefined;
  fetchSuggestions.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  search.type('14 Bl');
  await vi.advanceTimersByTimeAsync(500);
  search.type('14 Blx');
  expect(fetchSuggestions.mock.calls[0]?.[2].aborted).toBe(true);
  answer([blyth]);
  await vi.advanceTimersByTimeAsync(0);
  expect(search.$found.get()).toBeNull();
});

test('a failure suggests nothing and shows an error', async () => {
  fetchSuggestions.mockRejectedValueOnce(new Error('unavailable'));
  const search = openSearch();
  search.type('14 Blyth');
  await vi.advanceTimersByTimeAsync(500);
  expect(search.$found.get()).toEqual({ text: '14 Blyth', found: [], hasFailed: true });
});

test('a line that hangs counts as failed after a while', async () => {
  fetchSuggestions.mockReturnValueOnce(new Promise(() => undefined));
  const search = openSearch();
  search.type('14 Blyth');
  await vi.advanceTimersByTimeAsync(8_500);
  expect(search.$found.get()?.hasFailed).toBe(true);
});

test('choosing asks where it is, in the same round of typing; the next round is another', async () => {
  const found = { address: blyth.address, placeId: 'p1', lat: -37.77, lng: 144.97 };
  fetchAddress.mockResolvedValue(found);
  const search = openSearch();
  search.type('14 Blyth');
  await vi.advanceTimersByTimeAsync(500);
  expect(await search.choose(blyth)).toEqual(found);
  const token = fetchSuggestions.mock.calls[0]?.[1];
  expect(fetchAddress).toHaveBeenCalledWith('p1', token);
  search.type('15 Blyth');
  await vi.advanceTimersByTimeAsync(500);
  expect(fetchSuggestions.mock.calls[1]?.[1]).not.toBe(token);
});

test('where no source has its place, its text is chosen all the same', async () => {
  fetchAddress.mockRejectedValue(new Error('unavailable'));
  expect(await openSearch().choose(blyth)).toEqual({
    ...{ address: blyth.address, placeId: 'p1', lat: null, lng: null },
  });
});

test('an address as typed is its text alone', () => {
  expect(addressAsTyped('  Lot 3,  Back Rd ')).toEqual({
    ...{ address: 'Lot 3, Back Rd', placeId: null, lat: null, lng: null },
  });
});
