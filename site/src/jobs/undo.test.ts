import { beforeEach, expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { toast } from '#site/ui/toast/toast.ts';
import { aCard } from './a-card.fixture.ts';
import { storeJob } from './job-details-store.ts';
import { undoChange } from './jobs-api.ts';
import { undoOf } from './undo.ts';

vi.mock('./jobs-api.ts', () => ({ undoChange: vi.fn() }));
vi.mock('./job-details-store.ts', () => ({ storeJob: vi.fn() }));
vi.mock('#site/ui/toast/toast.ts', () => ({ toast: { info: vi.fn(), error: vi.fn() } }));

const accepted = aCard('j1', { status: 'To quote', revision: 4 }) as JobView;
beforeEach(() => void vi.clearAllMocks());

test('takes back the change by the revision it was answered with', async () => {
  const pending = { ...accepted, status: 'Pending', revision: 5 } as const;
  vi.mocked(undoChange).mockResolvedValueOnce(pending);
  await undoOf(accepted)();
  expect(undoChange).toHaveBeenCalledExactlyOnceWith('j1', { revision: 4 });
  expect(storeJob).toHaveBeenCalledExactlyOnceWith(pending);
});

test('takes back all of several savings of the notes', async () => {
  await undoOf(accepted, 2)();
  expect(undoChange).toHaveBeenCalledExactlyOnceWith('j1', { revision: 4, since: 2 });
});

test('shows why a change cannot be undone', async () => {
  vi.mocked(undoChange).mockRejectedValueOnce(new ApiError('It is too late to undo this', 409));
  await undoOf(accepted)();
  expect(storeJob).not.toHaveBeenCalled();
  expect(toast.error).toHaveBeenCalledExactlyOnceWith('It is too late to undo this', { title: 'Not undone' });
});
