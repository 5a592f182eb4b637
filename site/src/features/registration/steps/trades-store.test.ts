import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '#site/lib/http/api.ts';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { fetchTrades } from '#site/ui/trades/fetch-trades.ts';
import { tradesQuery } from '#site/ui/trades/TradeList.tsx';
import { followTrades } from './TradesStep.tsx';

vi.mock('#site/ui/trades/fetch-trades.ts', () => ({ fetchTrades: vi.fn() }));
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
