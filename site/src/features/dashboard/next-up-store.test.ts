import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JobCardView } from '#core/job/view.ts';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { queriesOf } from '#site/lib/http/queries.fixture.ts';
import { createWorkAhead } from './dashboard-stores.ts';

const request = vi.fn();
const workAhead = createWorkAhead(queriesOf(request));

const hour = 3_600_000;
/** A job that many hours from now. */
const inHours = (hours: number, changes: Partial<JobCardView> = {}): JobCardView =>
  aCard(`${hours} h`, {
    status: 'In progress',
    scheduledAt: new Date(Date.now() + hours * hour).toISOString(),
    ...changes,
  });

const answer = (jobs: JobCardView[], overdue: JobCardView[] = [], count = overdue.length) =>
  request.mockResolvedValueOnce({ jobs, overdue: { count, jobs: overdue } });
const shown = async () => {
  await workAhead.refresh();
  return workAhead.$state.get().data;
};

beforeEach(() => {
  request.mockReset();
  vi.stubGlobal('navigator', { onLine: true });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the next four jobs to drive to', async () => {
  answer([1, 2, 3, 4, 5].map((hours) => inHours(hours)));
  expect((await shown())?.next).toEqual(['1 h', '2 h', '3 h', '4 h']);
});

test('what is done or waits for an answer is not next', async () => {
  const jobs = [inHours(1, { status: 'Paid' }), inHours(2, { status: 'Pending' }), inHours(3)];
  answer(jobs);
  expect(await shown()).toMatchObject({ next: ['3 h'], overdue: [] });
});

test('a job is next for its hour, and not finished yet after that', async () => {
  answer([inHours(-0.5), inHours(1)]);
  expect(await shown()).toMatchObject({ next: ['-0.5 h', '1 h'], overdue: [], overdueCount: 0 });
  answer([inHours(-1.1), inHours(1)]);
  expect(await shown()).toMatchObject({ next: ['1 h'], overdue: ['-1.1 h'], overdueCount: 1 });
});

test('unfinished work of days before and of earlier today stays in sight', async () => {
  const jobs = [inHours(-2), inHours(-1, { status: 'Completed' }), inHours(1)];
  answer(jobs, [inHours(-50)], 31);
  expect(await shown()).toEqual({ next: ['1 h'], overdue: ['-50 h', '-2 h'], overdueCount: 32 });
});
