import { afterEach, expect, test, vi } from 'vitest';
import { jobDetails } from '#site/jobs/job-details-store.ts';
import { fetchJob } from '#site/jobs/jobs-api.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { showLoadFailure } from './start-job-details.ts';

vi.mock('#site/jobs/jobs-api.ts', () => ({ fetchJob: vi.fn() }));
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { error: vi.fn(), dismiss: vi.fn() } }));

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a job that does not load is a toast, which goes once it loads', async () => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.mocked(fetchJob).mockRejectedValueOnce(new ApiError('No job', 409));
  const stop = showLoadFailure('one');
  await vi.waitFor(() => expect(toast.error).toHaveBeenCalledWith('No job', { id: 'job-load' }));
  expect(toast.dismiss).not.toHaveBeenCalled();
  vi.mocked(fetchJob).mockResolvedValue({} as never);
  await jobDetails('one').refresh();
  expect(toast.dismiss).toHaveBeenCalledWith('job-load');
  stop();
});
