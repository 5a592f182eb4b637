import { afterEach, expect, test, vi } from 'vitest';
import { fetchTrades } from '#site/features/registration/registration-api.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { followTrades, tradesQuery } from './TradesStep.tsx';

vi.mock('#site/features/registration/registration-api.ts', () => ({ fetchTrades: vi.fn() }));
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { error: vi.fn(), dismiss: vi.fn() } }));

afterEach(() => {
  vi.unstubAllGlobals();
});

test('trades that do not load are a toast, which goes once they load', async () => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.mocked(fetchTrades).mockRejectedValueOnce(new ApiError('No trades', 409));
  const stop = followTrades();
  await expect.poll(() => toast.error).toHaveBeenCalledOnce();
  expect(toast.dismiss).not.toHaveBeenCalled();
  vi.mocked(fetchTrades).mockResolvedValue([]);
  await tradesQuery.refresh();
  expect(toast.dismiss).toHaveBeenCalledWith('registration-trades');
  stop();
});
