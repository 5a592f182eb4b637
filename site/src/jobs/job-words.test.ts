import { describe, expect, test } from 'vitest';
import { isPast, jobLabel, scheduleInWords } from './job-words.ts';

const timeZone = 'Australia/Melbourne';
/** Mon 05 Jan 2026, 9:05AM in Melbourne. */
const now = new Date('2026-01-04T22:05:00Z');

test('a job is known by its customer, then by its title', () => {
  expect(jobLabel({ name: 'Priya Raman', title: 'Blocked kitchen sink' })).toBe(
    'Priya Raman, Blocked kitchen sink',
  );
});

describe('when a job is', () => {
  test.each([
    [null, 'No time yet'],
    ['2026-01-05T03:00:00Z', 'Today, 2:00PM'],
    ['2026-01-04T20:30:00Z', 'Today, 7:30AM'],
    ['2026-01-06T21:00:00Z', 'Wed 07 Jan, 8:00AM'],
    ['2026-01-02T00:00:00Z', 'Was Fri 02 Jan, 11:00AM'],
    // Still Sunday in UTC, and Monday where the business is.
    // Midnight stands for a day without an hour.
    ['2026-01-04T13:00:00Z', 'Today'],
    ['2026-01-04T13:00:01Z', 'Today, 12:00AM'],
    ['2026-01-04T12:59:00Z', 'Was Sun 04 Jan, 11:59PM'],
    ['2025-01-05T03:00:00Z', 'Was Sun 05 Jan 2025, 2:00PM'],
  ])('%s: %s', (scheduledAt, words) => {
    expect(scheduleInWords(scheduledAt, timeZone, now)).toBe(words);
  });
});

/** Now is 22:05:00Z. */
test.each([
  ['Completed', '2026-01-04T20:30:00Z', true],
  ['Paid', '2026-01-02T00:00:00Z', true],
  ['Completed', '2026-01-05T03:00:00Z', false],
  ['In progress', '2026-01-02T00:00:00Z', false],
  ['Completed', null, false],
] as const)('a job that is %s with the time %s is past: %s', (status, scheduledAt, past) => {
  expect(isPast({ status, scheduledAt }, now)).toBe(past);
});
