import { expect, test } from 'vitest';
import { defaultTimeZones } from './region.ts';
import { instantWords, isJobSlot, isTimeZone, jobSlotLabel, jobSlots, slotAt, slotProblem } from './time.ts';

test('a day has twenty slots of 30 minutes, from 8:00AM to 5:30PM', () => {
  expect(jobSlots).toHaveLength(20);
  expect(jobSlots.slice(0, 3)).toEqual(['08:00', '08:30', '09:00']);
  expect(jobSlotLabel(jobSlots[0] ?? '')).toBe('8:00AM');
  expect(jobSlotLabel(jobSlots.at(-1) ?? '')).toBe('5:30PM');
});

test('noon is afternoon', () => {
  expect(jobSlotLabel('11:30')).toBe('11:30AM');
  expect(jobSlotLabel('12:00')).toBe('12:00PM');
});

test.each(['07:30', '18:00', '8:00', '09:15', '', 9, null])('%j is no slot', (value) => {
  expect(isJobSlot(value)).toBe(false);
});

test.each([
  ['Australia/Melbourne', '2026-10-02T23:30:00Z', '09:30'],
  ['Australia/Melbourne', '2026-10-04T22:30:00Z', '09:30'],
  ['Australia/Lord_Howe', '2026-10-03T22:30:00Z', '09:30'],
  ['Australia/Lord_Howe', '2026-10-02T23:00:00Z', '09:30'],
  ['Pacific/Auckland', '2026-09-26T20:30:00Z', '09:30'],
  ['Pacific/Chatham', '2026-11-02T19:45:00Z', '09:30'],
  ['Australia/Adelaide', '2026-11-02T23:00:00Z', '09:30'],
])('the slot on the clocks of %s at %s is %s, before and after they change', (timeZone, instant, slot) => {
  expect(slotAt(new Date(instant), timeZone)).toBe(slot);
});

test('between the slots there is none', () => {
  for (const instant of ['2026-11-02T22:31:00Z', '2026-11-02T22:30:00.001Z', '2026-11-02T20:30:00Z']) {
    expect(slotAt(new Date(instant), 'Australia/Melbourne')).toBeNull();
  }
});

test('the slot that is running counts as now, the one before it is over, two years are far enough', () => {
  const problem = (now: string) =>
    slotProblem(new Date('2026-11-02T22:30:00Z'), 'Australia/Melbourne', new Date(now));
  expect(problem('2026-11-02T22:59:59Z')).toBeNull();
  expect(problem('2026-11-02T23:00:00Z')).toBe('Choose a time from now on');
  expect(problem('2024-11-02T22:30:00Z')).toBeNull();
  expect(problem('2024-10-30T22:30:00Z')).toBe('Choose a day within the next two years');
});

test.each([
  ['2026-11-30T22:30:00.000Z', 'Australia/Melbourne', 'Tue, 01 Dec 2026 9:30AM'],
  ['2026-09-26T14:30:00.000Z', 'Pacific/Chatham', 'Sun, 27 Sep 2026 4:15AM'],
  ['2026-01-04T13:00:00.000Z', 'Australia/Sydney', 'Mon, 05 Jan 2026'],
  ['2026-01-04T13:00:01.000Z', 'Australia/Sydney', 'Mon, 05 Jan 2026 12:00AM'],
  ['2026-06-09T02:05:00.000Z', 'Australia/Lord_Howe', 'Tue, 09 Jun 2026 12:35PM'],
])('%s in %s is %s', (instant, timeZone, words) => {
  expect(instantWords(instant, timeZone)).toBe(words);
});

test.each([
  ...Object.values(defaultTimeZones),
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'America/Argentina/Salta',
])('%s is a zone', (text) => {
  expect(isTimeZone(text)).toBe(true);
});

test.each([
  '',
  'AEST',
  'UTC',
  '+10:00',
  'Australia/Nowhere',
  "Australia/Melbourne'; drop table",
  'Etc/../passwd',
])('%j is no zone', (text) => {
  expect(isTimeZone(text)).toBe(false);
});
