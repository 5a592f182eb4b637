import { expect, test } from 'vitest';
import { daysWaiting, isUnfinished, jobStatuses } from './statuses.ts';

const createdAt = '2026-11-20T01:00:00.000Z';
const after = (ms: number) => new Date(Date.parse(createdAt) + ms);
const DAY = 24 * 60 * 60_000;

test.each([
  [0, 0],
  [DAY - 1, 0],
  [DAY, 1],
  [2 * DAY - 1, 1],
  [30 * DAY, 30],
  [-DAY, 0],
])('%i milliseconds after it came, a job has waited for %i days', (ms, days) => {
  expect(daysWaiting({ status: 'Pending', createdAt }, after(ms))).toBe(days);
});

test.each(jobStatuses.filter((status) => status !== 'Pending'))(
  'a job that is %s waits no more',
  (status) => {
    expect(daysWaiting({ status, createdAt }, after(10 * DAY))).toBe(0);
  },
);

test('what is turned down, done or paid for is not worked on', () => {
  expect(jobStatuses.filter(isUnfinished)).toEqual(['Pending', 'To quote', 'In progress', 'Quoted']);
});
