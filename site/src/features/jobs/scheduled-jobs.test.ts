import { beforeEach, expect, test, vi } from 'vitest';
import type { JobCardView } from '#core/job/view.ts';
import { aCard } from './a-card.fixture.ts';
import { fetchJobs, pageSize } from './jobs-api.ts';
import { fetchScheduledFrom } from './scheduled-jobs.ts';

vi.mock('./jobs-api.ts', () => ({ pageSize: 3, fetchJobs: vi.fn() }));
const fetched = vi.mocked(fetchJobs);
const signal = new AbortController().signal;

/** Jobs on these days of January, as the API answers them: latest first. */
function scheduledOn(...days: number[]): JobCardView[] {
  return days.map((day) =>
    aCard(`day ${day}`, { scheduledAt: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z` }),
  );
}

beforeEach(() => void fetched.mockReset());

test('jobs from a day on come earliest first', async () => {
  fetched.mockResolvedValueOnce(scheduledOn(9, 7, 2));
  const jobs = await fetchScheduledFrom((instant) => instant >= '2026-01-05', '', signal);
  expect(jobs.map(({ id }) => id)).toEqual(['day 7', 'day 9']);
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('it reads on until it meets the past', async () => {
  fetched.mockResolvedValueOnce(scheduledOn(12, 11, 10)).mockResolvedValueOnce(scheduledOn(9, 2, 1));
  const jobs = await fetchScheduledFrom((instant) => instant >= '2026-01-05', '', signal);
  expect(jobs).toHaveLength(4);
  expect(fetched.mock.calls.map(([query]) => query.page)).toEqual([1, 2]);
});

test('a page that is not full is the last', async () => {
  fetched.mockResolvedValueOnce(scheduledOn(12, 11));
  expect(await fetchScheduledFrom(() => true, '', signal)).toHaveLength(2);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(pageSize).toBe(3);
});
