import { expect, test } from 'vitest';
import { jobsWithTime, zonesWith } from './TimeZonePart.tsx';

const job = (id: string, scheduledAt: string | null) => ({ id, title: id, scheduledAt });
const at = '2026-12-01T22:30:00.000Z';

test('three jobs that have a time show what a change does', () => {
  const jobs = [job('a', null), job('b', at), job('c', at), job('d', at), job('e', at)];
  expect(jobsWithTime(jobs).map(({ id }) => id)).toEqual(['b', 'c', 'd']);
  expect(jobsWithTime([job('a', null)])).toEqual([]);
});

test('the zones of the country can be chosen, and the present one is always among them', () => {
  expect(zonesWith('nz', 'Pacific/Auckland')).toEqual([
    ['Pacific/Auckland', 'New Zealand'],
    ['Pacific/Chatham', 'Chatham Islands'],
  ]);
  expect(zonesWith('au', 'Indian/Christmas')[0]).toEqual(['Indian/Christmas', 'Christmas']);
});
