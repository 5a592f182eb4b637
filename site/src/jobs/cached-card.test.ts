import { beforeEach, expect, test, vi } from 'vitest';
import { copies } from '#site/lib/offline/copies.ts';
import { aCard } from './a-card.fixture.ts';
import { cachedCard } from './cached-card.ts';

const [old, now] = [aCard('j1', { title: 'Old' }), aCard('j1', { title: 'Now' })];
const stored = new Map<string, { payload: unknown; at: number }>();
vi.mock('#site/lib/offline/copies.ts', () => ({ copies: { paths: vi.fn(), read: vi.fn() } }));

beforeEach(() => {
  stored.clear();
  vi.mocked(copies.paths).mockImplementation(async () => [...stored.keys()]);
  vi.mocked(copies.read).mockImplementation(async (_, path) => stored.get(path) ?? null);
});

test('the newest card that any list has of a job', async () => {
  stored.set('/jobs?page=1', { payload: { jobs: [old] }, at: 1 });
  stored.set('/jobs/schedule?ahead=90', { payload: { jobs: [], overdue: { jobs: [now] } }, at: 2 });
  expect(await cachedCard('j1')).toEqual({ card: now, at: 2 });
});

test('no list has it', async () => {
  stored.set('/jobs/schedule', { payload: { jobs: [aCard('j2')] }, at: 1 });
  stored.set('/jobs/j1/history', { payload: { history: [] }, at: 1 });
  expect(await cachedCard('j1')).toBeNull();
});
