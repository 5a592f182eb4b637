import { expect, test } from 'vitest';
import { instantWords } from './instant-words.ts';

test.each([
  ['2026-11-30T22:30:00.000Z', 'Australia/Melbourne', 'Tue, 01 Dec 2026 9:30AM'],
  ['2026-09-26T14:30:00.000Z', 'Pacific/Chatham', 'Sun, 27 Sep 2026 4:15AM'],
  ['2026-01-04T13:00:00.000Z', 'Australia/Sydney', 'Mon, 05 Jan 2026 12:00AM'],
  ['2026-06-09T02:05:00.000Z', 'Australia/Lord_Howe', 'Tue, 09 Jun 2026 12:35PM'],
])('%s in %s is %s', (instant, timeZone, words) => {
  expect(instantWords(instant, timeZone)).toBe(words);
});
