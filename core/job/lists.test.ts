import { expect, test } from 'vitest';
import { isListView, listViewNames, listViews, statusesOf } from './lists.ts';
import { isWorkingStatus, jobStatuses, workingStatuses } from './statuses.ts';

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
