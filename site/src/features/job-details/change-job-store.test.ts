import { beforeEach, expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { $waiting, type Waiting } from '#site/jobs/changes/changes-store.ts';
import { $jobCards } from '#site/jobs/job-stores.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { createPanelChanges } from './change-job-store.ts';

const changeJob = vi.fn();
const showChanged = vi.fn();
const toast = { dismiss: vi.fn(), error: vi.fn() };
const refreshCounts = async () => undefined;
const readAgain = vi.fn();
const onCompleted = vi.fn();
const waitForSignal = vi.fn(async (..._: unknown[]) => false);
const deps = { waitForSignal, changeJob, readAgain, showChanged, refreshCounts, onCompleted, toast };
const { $changing, changeOnPanel } = createPanelChanges(deps);

const quoted = aCard('j1', { status: 'Quoted', revision: 2 }) as JobView;
beforeEach(() => {
  vi.clearAllMocks();
  $jobCards.set({});
});

test('a change shows the job as the server answers it, and can be undone', async () => {
  changeJob.mockResolvedValueOnce(quoted);
  const changed = changeOnPanel('j1', { status: 'Quoted' });
  expect($changing.get().j1).toEqual({ status: 'Quoted' });
  await changed;
  expect(showChanged).toHaveBeenCalledExactlyOnceWith(undefined, quoted, 'Job updated successfully');
  // The failure of an earlier change is over.
  expect(toast.dismiss).toHaveBeenCalledExactlyOnceWith('job-update');
  expect($changing.get().j1).toBeUndefined();
});

test('a failure is shown, and nothing is shown as changed', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  changeJob.mockRejectedValueOnce(new Error('down'));
  await changeOnPanel('j1', { scheduledAt: null });
  expect(showChanged).not.toHaveBeenCalled();
  expect(toast.error).toHaveBeenCalledExactlyOnceWith('Error updating job', {
    title: 'Oops, something went wrong',
    id: 'job-update',
  });
});

test('a change whose answer was lost is shown as made where the job has it, and as failed where it has not', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const lost = new ApiError('An error has occurred', 0);
  const before = aCard('j1', { status: 'To quote', revision: 1 });
  $jobCards.setKey('j1', before);
  changeJob.mockRejectedValue(lost);
  readAgain.mockResolvedValueOnce(quoted);
  await changeOnPanel('j1', { status: 'Quoted' });
  expect(showChanged).toHaveBeenCalledExactlyOnceWith(before, quoted, 'Job updated successfully');
  expect(toast.error).not.toHaveBeenCalled();
  readAgain.mockResolvedValueOnce(quoted);
  await changeOnPanel('j1', { status: 'Paid' });
  readAgain.mockRejectedValueOnce(lost);
  await changeOnPanel('j1', { status: 'Quoted' });
  changeJob.mockRejectedValueOnce(new ApiError('Not now', 503));
  await changeOnPanel('j1', { status: 'Quoted' });
  expect([showChanged.mock.calls.length, toast.error.mock.calls.length, readAgain.mock.calls.length]).toEqual(
    [1, 3, 3],
  );
});

test('a change made while another is on its way follows it', async () => {
  const paid = { ...quoted, status: 'Paid' } as JobView;
  const first = Promise.withResolvers<JobView>();
  changeJob.mockReturnValueOnce(first.promise).mockResolvedValueOnce(paid);
  const scheduled = changeOnPanel('j1', { scheduledAt: null });
  const both = changeOnPanel('j1', { status: 'Paid' });
  expect($changing.get().j1).toEqual({ scheduledAt: null, status: 'Paid' });
  await Promise.resolve();
  expect(changeJob).toHaveBeenCalledExactlyOnceWith('j1', { scheduledAt: null });
  first.resolve(quoted);
  await scheduled;
  expect($changing.get().j1).toEqual({ status: 'Paid' });
  await both;
  expect(changeJob).toHaveBeenLastCalledWith('j1', { status: 'Paid' });
  expect(showChanged).toHaveBeenLastCalledWith(undefined, paid, 'Job updated successfully');
  expect($changing.get().j1).toBeUndefined();
});

test('a change that fails does not hold up the next', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  changeJob.mockRejectedValueOnce(new Error('down')).mockResolvedValueOnce(quoted);
  await Promise.all([changeOnPanel('j1', { scheduledAt: null }), changeOnPanel('j1', { status: 'Quoted' })]);
  expect(toast.error).toHaveBeenCalledTimes(1);
  expect(showChanged).toHaveBeenCalledExactlyOnceWith(undefined, quoted, 'Job updated successfully');
});

test('without a signal a change waits, and the next waits behind it without being sent', async () => {
  const lost = new ApiError('An error has occurred', 0);
  changeJob.mockRejectedValueOnce(lost);
  readAgain.mockRejectedValueOnce(lost);
  waitForSignal.mockResolvedValue(true);
  await changeOnPanel('j1', { status: 'Quoted' });
  expect(waitForSignal).toHaveBeenCalledExactlyOnceWith('j1', { status: 'Quoted' }, lost);
  $waiting.setKey('j1', { job: { status: 'Quoted' } } as Waiting);
  await changeOnPanel('j1', { scheduledAt: null });
  expect(waitForSignal).toHaveBeenLastCalledWith('j1', { scheduledAt: null });
  expect([changeJob.mock.calls.length, toast.error.mock.calls.length]).toEqual([1, 0]);
  $waiting.setKey('j1', undefined);
  waitForSignal.mockResolvedValue(false);
});

test('work that a change finished is said to be completed; what was done before and what fails is not', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const completed = { ...quoted, status: 'Completed' } as JobView;
  changeJob.mockResolvedValue(completed);
  for (const status of ['Paid', 'Invoice sent', 'Unsuccessful'] as const) {
    $jobCards.setKey('j1', aCard('j1', { status, revision: 1 }));
    await changeOnPanel('j1', { status: 'Completed' });
  }
  $jobCards.setKey('j1', aCard('j1', { status: 'In progress', revision: 1 }));
  await changeOnPanel('j1', { scheduledAt: null });
  changeJob.mockRejectedValueOnce(new Error('down'));
  await changeOnPanel('j1', { status: 'Completed' });
  expect(onCompleted).not.toHaveBeenCalled();
  await changeOnPanel('j1', { status: 'Completed' });
  expect(onCompleted).toHaveBeenCalledExactlyOnceWith(completed);
});
