import { beforeEach, expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { $jobCards, storeCards } from '#site/jobs/job-stores.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { createAnswers } from './change-job.ts';

const answerJob = vi.fn();
const showChanged = vi.fn();
const toast = { error: vi.fn() };
const refreshCounts = async () => undefined;
const waitForSignal = vi.fn(async (..._: unknown[]) => false);
const { $answering, giveAnswer } = createAnswers({
  ...{ answerJob, showChanged, refreshCounts, waitForSignal, toast },
});

const accepted = aCard('j1', { status: 'To quote', revision: 1, phone: '+61491570156' }) as JobView;

beforeEach(() => {
  vi.clearAllMocks();
  $jobCards.set({});
  storeCards([aCard('j1')]);
});

test('an accept is shown as the server answers it, contact included', async () => {
  answerJob.mockResolvedValueOnce(accepted);
  await giveAnswer('j1', 'accept');
  expect(showChanged).toHaveBeenCalledExactlyOnceWith(aCard('j1'), accepted, 'Job has been accepted!');
});

test('a reject is shown in its own tone', async () => {
  const rejected = { ...accepted, status: 'Rejected' } as const;
  answerJob.mockResolvedValueOnce(rejected);
  await giveAnswer('j1', 'reject');
  expect(showChanged).toHaveBeenCalledExactlyOnceWith(
    ...[aCard('j1'), rejected, 'Job has been rejected.', 'info'],
  );
});

test('a failure is logged and shown, and the job stays as it was', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  answerJob.mockRejectedValueOnce(new Error('down'));
  await giveAnswer('j1', 'accept');
  expect(toast.error).toHaveBeenCalledExactlyOnceWith('An error occurred, please try again later.');
  expect(log).toHaveBeenCalledOnce();
  expect($jobCards.get().j1?.status).toBe('Pending');
  expect($answering.get().j1).toBeUndefined();
});

test('without a signal an answer waits: nothing is shown as failed, and nothing as done', async () => {
  const lost = new ApiError('An error has occurred', 0);
  answerJob.mockRejectedValueOnce(lost);
  waitForSignal.mockResolvedValueOnce(true);
  await giveAnswer('j1', 'accept');
  expect(waitForSignal).toHaveBeenCalledExactlyOnceWith('j1', { answer: 'accept' }, lost);
  expect([toast.error.mock.calls, showChanged.mock.calls]).toEqual([[], []]);
  expect($answering.get().j1).toBeUndefined();
});

test('a second press while the first is under way sends nothing', async () => {
  answerJob.mockResolvedValueOnce(accepted);
  await Promise.all([giveAnswer('j1', 'accept'), giveAnswer('j1', 'reject')]);
  expect(answerJob).toHaveBeenCalledTimes(1);
});
