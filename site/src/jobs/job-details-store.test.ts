import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JobView } from '#core/job/view.ts';
import { queriesOf } from '#site/lib/http/queries.fixture.ts';
import { aCard } from './a-card.fixture.ts';
import { $jobCards, createJobDetails } from './job-stores.ts';

const fetchJob = vi.fn();
const { jobDetails, storeJob } = createJobDetails(fetchJob, queriesOf(vi.fn()));

const before = aCard('j1', { status: 'Pending', revision: 0 }) as JobView;
const after = { ...before, status: 'To quote', revision: 1 } as const;

afterEach(() => {
  vi.unstubAllGlobals();
});

beforeEach(() => $jobCards.set({}));

test('a read model that is behind never undoes what a change was answered with', async () => {
  vi.stubGlobal('navigator', { onLine: true });
  fetchJob.mockResolvedValue(before);
  storeJob(after);
  await jobDetails('j1').refresh();
  expect(jobDetails('j1').$state.get().data).toEqual(after);
  expect($jobCards.get().j1?.status).toBe('To quote');
});

test('a newer job takes the place of the one before', () => {
  storeJob({ ...after, status: 'Quoted', revision: 2 });
  storeJob(after);
  expect(jobDetails('j1').$state.get().data?.status).toBe('Quoted');
});
