import { expect, test } from 'vitest';
import { blockStarts, dayHeading, dayTint, jobsInWords, rangesOf, scheduleDays } from './schedule-days.ts';

const today = '2026-01-05';

test('180 days, from 90 before today to 89 after', () => {
  const days = scheduleDays(today);
  expect(days).toHaveLength(180);
  expect(days[0]).toBe('2025-10-07');
  expect(days[90]).toBe(today);
  expect(days.at(-1)).toBe('2026-04-04');
});

test('every day is there once, whatever the clocks do', () => {
  for (const day of ['2026-04-05', '2026-10-04', '2026-09-27', '2026-12-31']) {
    const days = scheduleDays(day);
    expect(new Set(days).size).toBe(180);
    expect([...days].sort()).toEqual(days);
  }
});

test('headings name the day, and today as such', () => {
  expect(dayHeading(today, today)).toBe('Today • Monday, 05 Jan');
  expect(dayHeading('2026-01-10', today)).toBe('Saturday, 10 Jan');
});

test('today wins over the weekend', () => {
  expect(dayTint('2026-01-10', '2026-01-10')).toBe('today');
  expect(dayTint('2026-01-10', today)).toBe('weekend');
  expect(dayTint('2026-01-11', today)).toBe('weekend');
  expect(dayTint('2026-01-12', today)).toBe('other');
});

test('counts in words', () => {
  expect([0, 1, 3].map(jobsInWords)).toEqual(['No jobs today', '1 job', '3 jobs']);
});

test('ranges hold whole days and no more jobs than can be asked for', () => {
  const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'];
  const counts = { '2026-01-01': 2, '2026-01-03': 2, '2026-01-04': 9 };
  expect(rangesOf(days, counts, 3)).toEqual([
    { from: '2026-01-01', to: '2026-01-02' },
    { from: '2026-01-03', to: '2026-01-03' },
    { from: '2026-01-04', to: '2026-01-04' },
    { from: '2026-01-05', to: '2026-01-05' },
  ]);
});

test('a day of many jobs is mounted in blocks', () => {
  expect(blockStarts(0, 20)).toEqual([]);
  expect(blockStarts(45, 20)).toEqual([0, 20, 40]);
});
