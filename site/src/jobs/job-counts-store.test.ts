import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#site/lib/http/api.ts';
import { queriesOf } from '#site/lib/http/queries.fixture.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { createJobCounts } from './job-stores.ts';

const fetchJobCounts = vi.fn();
const toast = { error: vi.fn(), dismiss: vi.fn() };

afterEach(() => {
  vi.unstubAllGlobals();
});

test('counts that do not load are a toast, which goes once they load', async () => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  const { query } = queriesOf(vi.fn());
  const { followJobCounts, jobCounts } = createJobCounts({ fetchJobCounts, query, toast });
  fetchJobCounts.mockRejectedValueOnce(new ApiError('No counts', 409));
  const stop = followJobCounts();
  await expect.poll(() => toast.error).toHaveBeenCalledWith('No counts', { id: 'job-counts' });
  expect(toast.dismiss).not.toHaveBeenCalled();
  fetchJobCounts.mockResolvedValue({ today: 0, new: 1, inProgress: 2, all: 3, waiting: 1 });
  await jobCounts.refresh();
  expect(toast.dismiss).toHaveBeenCalledWith('job-counts');
  stop();
});
