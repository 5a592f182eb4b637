import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#site/lib/http/api.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { followJobCounts, jobCounts } from './job-counts-store.ts';
import { fetchJobCounts } from './jobs-api.ts';

vi.mock('./jobs-api.ts', () => ({ fetchJobCounts: vi.fn() }));
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { error: vi.fn(), dismiss: vi.fn() } }));

afterEach(() => {
  vi.unstubAllGlobals();
});

test('counts that do not load are a toast, which goes once they load', async () => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.mocked(fetchJobCounts).mockRejectedValueOnce(new ApiError('No counts', 409));
  const stop = followJobCounts();
  await vi.waitFor(() => expect(toast.error).toHaveBeenCalledWith('No counts', { id: 'job-counts' }));
  expect(toast.dismiss).not.toHaveBeenCalled();
  vi.mocked(fetchJobCounts).mockResolvedValue({ today: 0, new: 1, inProgress: 2, all: 3 });
  await jobCounts.refresh();
  expect(toast.dismiss).toHaveBeenCalledWith('job-counts');
  stop();
});
