import { expect, test } from 'vitest';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { busyDays } from './busy-days.ts';

test('the schedule besides the job itself, by day: whose job, where and when', () => {
  const [own, other] = ['2026-01-05T22:30:00Z', '2026-01-05T23:30:00Z'];
  const cards = { j1: aCard('j1', { scheduledAt: own }), j2: aCard('j2', { scheduledAt: other }) };
  const schedule = {
    timeZone: 'Australia/Melbourne',
    counts: { '2026-01-06': 2, '2026-01-07': 40 },
    // Of a long schedule not every job is there; how many there are is known.
    jobs: { '2026-01-06': ['j1', 'j2'], '2026-01-07': ['unknown'] },
  };
  expect(busyDays(schedule, cards, 'j1')).toEqual({
    '2026-01-06': { count: 1, bookings: [{ at: other, name: 'Aroha Tāwhiri', place: 'Brunswick' }] },
    '2026-01-07': { count: 40, bookings: [] },
  });
});

test.each(['Completed', 'Invoice sent', 'Paid'] as const)('a job that is %s holds no hour', (status) => {
  const at = '2026-01-05T22:30:00Z';
  const schedule = {
    ...{ timeZone: 'Australia/Melbourne', counts: { '2026-01-06': 1 }, jobs: { '2026-01-06': ['j1'] } },
  };
  expect(busyDays(schedule, { j1: aCard('j1', { scheduledAt: at, status }) }, null)).toEqual({
    '2026-01-06': { count: 1, bookings: [] },
  });
});

test('beside a new job the schedule is all of it', () => {
  const at = '2026-01-05T22:30:00Z';
  const schedule = {
    ...{ timeZone: 'Australia/Melbourne', counts: { '2026-01-06': 1 }, jobs: { '2026-01-06': ['j1'] } },
  };
  expect(busyDays(schedule, { j1: aCard('j1', { scheduledAt: at }) }, null)).toEqual({
    '2026-01-06': { count: 1, bookings: [{ at, name: 'Aroha Tāwhiri', place: 'Brunswick' }] },
  });
});
