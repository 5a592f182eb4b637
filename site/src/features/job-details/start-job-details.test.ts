import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#site/lib/http/api.ts';
import { queriesOf } from '#site/lib/http/queries.fixture.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { showLoadFailure } from './start-job-details.ts';

const load = vi.fn();
const toast = { error: vi.fn(), dismiss: vi.fn() };

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a job that does not load is a toast, which goes once it loads', async () => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  const job = queriesOf(vi.fn()).query('one', load);
  load.mockRejectedValueOnce(new ApiError('No job', 409));
  const stop = showLoadFailure(job, toast);
  await expect.poll(() => toast.error).toHaveBeenCalledWith('No job', { id: 'job-load' });
  expect(toast.dismiss).not.toHaveBeenCalled();
  load.mockResolvedValue({} as never);
  await job.refresh();
  expect(toast.dismiss).toHaveBeenCalledWith('job-load');
  stop();
});
