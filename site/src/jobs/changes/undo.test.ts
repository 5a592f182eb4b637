import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { ApiError } from '#site/lib/http/api.ts';
import { changeInWords, createShownChanges } from './change-job.ts';

const undoChange = vi.fn();
const storeJob = vi.fn();
const toast = { success: vi.fn(), info: vi.fn(), error: vi.fn() };
const { showChanged, undoOf } = createShownChanges({ undoChange, storeJob, refreshQueries: vi.fn(), toast });

const accepted = aCard('j1', { status: 'To quote', revision: 4 }) as JobView;
beforeEach(() => void vi.clearAllMocks());

test('takes back the change by the revision it was answered with', async () => {
  const pending = { ...accepted, status: 'Pending', revision: 5 } as const;
  undoChange.mockResolvedValueOnce(pending);
  await undoOf(accepted)();
  expect(undoChange).toHaveBeenCalledExactlyOnceWith('j1', { revision: 4 });
  expect(storeJob).toHaveBeenCalledExactlyOnceWith(pending);
});

test('takes back all of several savings of the notes', async () => {
  await undoOf(accepted, 2)();
  expect(undoChange).toHaveBeenCalledExactlyOnceWith('j1', { revision: 4, since: 2 });
});

test('shows why a change cannot be undone', async () => {
  undoChange.mockRejectedValueOnce(new ApiError('It is too late to undo this', 409));
  await undoOf(accepted)();
  expect(storeJob).not.toHaveBeenCalled();
  expect(toast.error).toHaveBeenCalledExactlyOnceWith('It is too late to undo this', {
    ...{ title: 'Not undone', slot: 'job:j1' },
  });
});

test('is asked for once more where no answer came, since a repeat takes nothing more back', async () => {
  const lost = new ApiError('An error has occurred', 0);
  undoChange.mockRejectedValueOnce(lost).mockResolvedValueOnce(accepted);
  await undoOf(accepted)();
  expect(storeJob).toHaveBeenCalledExactlyOnceWith(accepted);
  expect(toast.error).not.toHaveBeenCalled();
  undoChange.mockRejectedValue(lost);
  await undoOf(accepted)();
  expect(undoChange).toHaveBeenCalledTimes(4);
  expect(toast.error).toHaveBeenCalledTimes(1);
});

test('a change shows the job, and says what changed in the one toast of the job', () => {
  showChanged({ ...accepted, status: 'In progress' }, { ...accepted, status: 'Completed' }, 'Job updated');
  expect(storeJob).toHaveBeenCalledExactlyOnceWith({ ...accepted, status: 'Completed' });
  expect(toast.success).toHaveBeenCalledExactlyOnceWith('Job updated', {
    ...{ slot: 'job:j1', detail: 'Completed, was In progress', undo: expect.any(Function) },
  });
});

describe('a change in words', () => {
  const now = new Date('2026-11-23T02:00:00Z');
  const at = (status: JobView['status'], scheduledAt: string | null = null) => ({
    ...accepted,
    ...{ status, scheduledAt },
  });
  const [monday, wednesday] = ['2026-11-23T02:30:00Z', '2026-11-24T23:00:00Z'];

  test.each([
    [at('In progress'), at('Completed'), 'Completed, was In progress'],
    [at('Quoted', monday), at('Quoted', wednesday), 'Moved to Wed 25 Nov, 10:00AM'],
    [at('Quoted', wednesday), at('Quoted', monday), 'Moved to Mon 23 Nov, 1:30PM'],
    [at('Quoted'), at('Quoted', wednesday), 'Set for Wed 25 Nov, 10:00AM'],
    [at('Quoted', wednesday), at('Quoted'), 'Taken off the schedule'],
    [at('Quoted', wednesday), at('Unsuccessful'), 'Unsuccessful, was Quoted'],
    [at('Pending'), at('To quote'), 'Aroha Tāwhiri, Brunswick'],
    [at('Rejected'), at('To quote'), 'Aroha Tāwhiri, Brunswick'],
    [at('Pending'), at('Rejected'), 'Aroha Tāwhiri, Brunswick'],
    [at('Quoted'), at('Quoted'), 'Aroha Tāwhiri, Brunswick'],
    [undefined, at('Quoted'), 'Aroha Tāwhiri, Brunswick'],
  ])('%#', (before, after, words) => {
    expect(changeInWords(before, after, 'Australia/Melbourne', now)).toBe(words);
  });

  test('of a job without a suburb, its customer alone', () => {
    const location = { address: 'Lot 7', placeId: null, lat: null, lng: null };
    expect(changeInWords(undefined, { ...accepted, location }, null, now)).toBe('Aroha Tāwhiri');
  });
});
