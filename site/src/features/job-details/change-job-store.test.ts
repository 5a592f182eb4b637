import { beforeEach, expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { aCard } from '#site/features/jobs/a-card.fixture.ts';
import { keepJob } from '#site/features/jobs/job-details-store.ts';
import { changeJob } from '#site/features/jobs/jobs-api.ts';
import { toast } from '#site/lib/toast.ts';
import { $changing, changeOnPanel } from './change-job-store.ts';

const undo = vi.fn();
vi.mock('#site/features/jobs/jobs-api.ts', () => ({ changeJob: vi.fn() }));
vi.mock('#site/features/jobs/job-counts-store.ts', () => ({ jobCounts: { refresh: vi.fn() } }));
vi.mock('#site/features/jobs/job-details-store.ts', () => ({ keepJob: vi.fn() }));
vi.mock('#site/features/jobs/undo.ts', () => ({ undoOf: () => undo }));
vi.mock('#site/lib/toast.ts', () => ({ toast: { success: vi.fn(), error: vi.fn() } }));

const quoted = aCard('j1', { status: 'Quoted', revision: 2 }) as JobView;
beforeEach(() => void vi.clearAllMocks());

test('a change shows the job as the server answers it, and can be undone', async () => {
  vi.mocked(changeJob).mockResolvedValueOnce(quoted);
  const changed = changeOnPanel('j1', { status: 'Quoted' });
  expect($changing.get().j1).toEqual({ status: 'Quoted' });
  await changed;
  expect(keepJob).toHaveBeenCalledExactlyOnceWith(quoted);
  expect(toast.success).toHaveBeenCalledExactlyOnceWith('Job updated successfully', { undo });
  expect($changing.get().j1).toBeUndefined();
});

test('a failure is said and shows nothing as changed', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  vi.mocked(changeJob).mockRejectedValueOnce(new Error('down'));
  await changeOnPanel('j1', { scheduledAt: null });
  expect(keepJob).not.toHaveBeenCalled();
  expect(toast.error).toHaveBeenCalledExactlyOnceWith('Error updating job', {
    title: 'Oops, something went wrong',
    id: 'job-update',
  });
});

test('one change at a time', async () => {
  vi.mocked(changeJob).mockResolvedValueOnce(quoted);
  await Promise.all([changeOnPanel('j1', { status: 'Quoted' }), changeOnPanel('j1', { status: 'Paid' })]);
  expect(changeJob).toHaveBeenCalledTimes(1);
});
