import { beforeEach, expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { changeJob } from '#site/jobs/jobs-api.ts';
import { showChanged } from '#site/jobs/undo.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { $changing, changeOnPanel } from './change-job-store.ts';

vi.mock('#site/jobs/jobs-api.ts', () => ({ changeJob: vi.fn() }));
vi.mock('#site/jobs/job-counts-store.ts', () => ({ jobCounts: { refresh: vi.fn() } }));
vi.mock('#site/jobs/undo.ts', () => ({ showChanged: vi.fn() }));
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { dismiss: vi.fn(), error: vi.fn() } }));

const quoted = aCard('j1', { status: 'Quoted', revision: 2 }) as JobView;
beforeEach(() => void vi.clearAllMocks());

test('a change shows the job as the server answers it, and can be undone', async () => {
  vi.mocked(changeJob).mockResolvedValueOnce(quoted);
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
  vi.mocked(changeJob).mockRejectedValueOnce(new Error('down'));
  await changeOnPanel('j1', { scheduledAt: null });
  expect(showChanged).not.toHaveBeenCalled();
  expect(toast.error).toHaveBeenCalledExactlyOnceWith('Error updating job', {
    title: 'Oops, something went wrong',
    id: 'job-update',
  });
});

test('a change made while another is on its way follows it', async () => {
  const paid = { ...quoted, status: 'Paid' } as JobView;
  const first = Promise.withResolvers<JobView>();
  vi.mocked(changeJob).mockReturnValueOnce(first.promise).mockResolvedValueOnce(paid);
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
  vi.mocked(changeJob).mockRejectedValueOnce(new Error('down')).mockResolvedValueOnce(quoted);
  await Promise.all([changeOnPanel('j1', { scheduledAt: null }), changeOnPanel('j1', { status: 'Quoted' })]);
  expect(toast.error).toHaveBeenCalledTimes(1);
  expect(showChanged).toHaveBeenCalledExactlyOnceWith(undefined, quoted, 'Job updated successfully');
});
