import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('localStorage', new MemoryStorage());
});
afterEach(() => void vi.unstubAllGlobals());

/** The store of a page that was just loaded. */
const onAPage = () => import('./list-appearance-store.ts');

test('lists are cards and days are rows until the user chooses', async () => {
  const { $listAppearances, appearanceOf } = await onAPage();
  expect(
    (['today', 'new', 'all'] as const).map((view) => appearanceOf(view, $listAppearances.get())),
  ).toEqual([...['rows', 'cards', 'cards']]);
});

test('a choice holds for all lists but Today, on the next page too', async () => {
  const { chooseAppearance } = await onAPage();
  chooseAppearance('new', 'rows');
  vi.resetModules();
  const { $listAppearances } = await onAPage();
  expect($listAppearances.get()).toEqual({ days: 'rows', lists: 'rows' });
});

test.each(['{', 'null', '{"lists":"tiles"}', '[]'])('%j in the browser changes nothing', async (stored) => {
  localStorage.setItem('ute.looks', stored);
  const { $listAppearances } = await onAPage();
  expect($listAppearances.get()).toEqual({ days: 'rows', lists: 'cards' });
});
