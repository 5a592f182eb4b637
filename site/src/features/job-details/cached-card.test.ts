import { beforeEach, expect, test } from 'vitest';
import { aCard } from '#site/jobs/a-card.fixture.ts';
import { cachedCard } from './cached-card.ts';

const [old, now] = [aCard('j1', { title: 'Old' }), aCard('j1', { title: 'Now' })];
const stored = new Map<string, { payload: unknown; at: number }>();
const copies = {
  paths: async () => [...stored.keys()],
  read: async (_: string, path: string) => stored.get(path) ?? null,
};

beforeEach(() => stored.clear());

test('the newest card that any list has of a job', async () => {
  stored.set('/jobs?page=1', { payload: { jobs: [old] }, at: 1 });
  stored.set('/jobs/schedule?ahead=90', { payload: { jobs: [], overdue: { jobs: [now] } }, at: 2 });
  expect(await cachedCard('j1', copies)).toEqual({ card: now, at: 2 });
});

test('no list has it', async () => {
  stored.set('/jobs/schedule', { payload: { jobs: [aCard('j2')] }, at: 1 });
  stored.set('/jobs/j1/history', { payload: { history: [] }, at: 1 });
  expect(await cachedCard('j1', copies)).toBeNull();
});
