import { expect, test } from 'vitest';
import {
  daysWaiting,
  isAhead,
  isLate,
  isListView,
  isUnfinished,
  isWorkingStatus,
  jobStatuses,
  listViewNames,
  listViews,
  statusesOf,
  workingStatuses,
} from './statuses.ts';

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

test('the four lists are those of the dashboard, in its order', () => {
  expect(listViewNames.map((name) => listViews[name].label)).toEqual([
    'Today',
    'New',
    'In progress',
    'All jobs',
  ]);
});

test('each list has its filter and its order', () => {
  expect(statusesOf('new')).toEqual(['Pending', 'Rejected', 'To quote']);
  expect(statusesOf('in-progress')).toEqual(['In progress', 'Quoted', 'Invoice sent']);
  const orders = listViewNames.map((name) => `${listViews[name].sort} ${listViews[name].dir}`);
  expect(orders).toEqual(['s.date asc', 'createdAt asc', 'scheduledAt asc', 'createdAt desc']);
});

test('a filter names statuses that exist, and no job is in two lists', () => {
  const filtered = [...statusesOf('new'), ...statusesOf('in-progress')];
  for (const status of filtered) expect(jobStatuses).toContain(status);
  expect(new Set(filtered).size).toBe(filtered.length);
});

test.each(['', 'New', 'add', 'constructor', '__proto__', null, 0])('%j is no list', (value) => {
  expect(isListView(value)).toBe(false);
});

test('the dropdown offers every status but the two that a customer’s request has before it is accepted', () => {
  expect(workingStatuses).toEqual(
    jobStatuses.filter((status) => status !== 'Pending' && status !== 'Rejected'),
  );
  expect(jobStatuses.filter(isWorkingStatus)).toEqual([...workingStatuses]);
});

const now = new Date('2026-01-04T22:05:00Z');

test.each([
  ['In progress', '2026-01-04T21:05:01Z', 'ahead'],
  ['In progress', '2026-01-04T21:05:00Z', 'late'],
  ['To quote', '2026-01-05T03:00:00Z', 'ahead'],
  ['Pending', '2026-01-05T03:00:00Z', null],
  ['Rejected', '2026-01-04T20:00:00Z', null],
  ['Completed', '2026-01-04T20:00:00Z', null],
  ['Quoted', null, null],
] as const)('a job that is %s at %s: %s', (status, scheduledAt, expected) => {
  const job = { status, scheduledAt };
  expect([isAhead(job, now), isLate(job, now)]).toEqual([expected === 'ahead', expected === 'late']);
});
