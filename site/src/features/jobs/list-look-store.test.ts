import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('localStorage', new MemoryStorage());
});
afterEach(() => void vi.unstubAllGlobals());

/** The store of a page that was just loaded. */
const onAPage = () => import('./list-look-store.ts');

test('lists are cards and days are rows until somebody chooses', async () => {
  const { $looks, lookOf } = await onAPage();
  expect((['today', 'new', 'all'] as const).map((view) => lookOf(view, $looks.get()))).toEqual([
    ...['rows', 'cards', 'cards'],
  ]);
});

test('a choice holds for all lists but Today, on the next page too', async () => {
  const { chooseLook } = await onAPage();
  chooseLook('new', 'rows');
  vi.resetModules();
  const { $looks } = await onAPage();
  expect($looks.get()).toEqual({ days: 'rows', lists: 'rows' });
});

test.each(['{', 'null', '{"lists":"tiles"}', '[]'])('%j in the browser changes nothing', async (kept) => {
  localStorage.setItem('ute.looks', kept);
  const { $looks } = await onAPage();
  expect($looks.get()).toEqual({ days: 'rows', lists: 'cards' });
});
