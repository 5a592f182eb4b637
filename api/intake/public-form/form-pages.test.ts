import { expect, test, vi } from 'vitest';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import type { ReadSide } from '#projections/runtime/read-side/read-side.ts';
import { type CachedPage, createPageCache } from './form-pages.ts';

type Change = Parameters<Parameters<ReadSide['onChange']>[0]>[0];

function aCache(most?: number) {
  const listeners = { change: (_: Change) => {}, gap: () => {} };
  const readSide: Pick<ReadSide, 'onChange' | 'onGap'> = {
    onChange(listener) {
      listeners.change = listener;
      return () => {};
    },
    onGap(listener) {
      listeners.gap = listener;
      return () => {};
    },
  };
  const cache = createPageCache(readSide, most);
  return {
    ...cache,
    keepNow: (slug: string, businessId = slug, bytes = 100) =>
      cache.keep(slug, aPage(businessId, bytes), cache.generation()),
    change: (businessId: string, kind: Change['kind']) =>
      listeners.change({ businessId, kind, id: businessId, position: '1' }),
    gap: () => listeners.gap(),
  };
}

function aPage(businessId: string, bytes = 100): CachedPage {
  const file = { bytes: new Uint8Array(bytes), headers: {}, encoded: new Map() };
  return { businessId, form: { slug: businessId } as PublicForm, file };
}

test('a page stays until its business or its form changes', () => {
  const cache = aCache();
  cache.keepNow('acme');
  cache.keepNow('other');
  cache.change('acme', 'job');
  cache.change('acme', 'account');
  expect(cache.get('acme')?.page.businessId).toBe('acme');
  cache.change('acme', 'form');
  expect(cache.get('acme')).toBeUndefined();
  cache.change('other', 'business');
  expect(cache.get('other')).toBeUndefined();
});

test('where changes may have been missed nothing is fresh, and serves while no new page can be had', () => {
  const cache = aCache();
  const generation = cache.generation();
  cache.keepNow('acme');
  cache.gap();
  expect(cache.fresh('acme')).toBeUndefined();
  expect(cache.get('acme')?.fresh).toBe(false);
  cache.keep('other', aPage('other'), generation);
  expect(cache.get('other')?.fresh).toBe(false);
  cache.keepNow('acme');
  expect(cache.get('acme')?.fresh).toBe(true);
});

test('an address that no page is at any more is dropped', () => {
  const cache = aCache();
  cache.keepNow('acme');
  cache.drop('acme');
  expect(cache.get('acme')).toBeUndefined();
});

test('a page made of what was before a change is not cached', () => {
  const cache = aCache();
  const generation = cache.generation();
  cache.change('acme', 'business');
  cache.keep('acme', aPage('acme'), generation);
  expect(cache.get('acme')).toBeUndefined();
});

test('after a minute a page is not fresh any more, and still there', () => {
  vi.useFakeTimers();
  const cache = aCache();
  cache.keepNow('acme');
  vi.advanceTimersByTime(59_000);
  expect(cache.get('acme')?.fresh).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(cache.get('acme')?.fresh).toBe(false);
  vi.useRealTimers();
});

test('when it is full, what was used longest ago leaves', () => {
  const cache = aCache(20_000);
  cache.keepNow('first', 'first', 4_000);
  cache.keepNow('second', 'second', 4_000);
  cache.get('first');
  cache.keepNow('third', 'third', 4_000);
  expect(cache.get('second')).toBeUndefined();
  expect([cache.get('first')?.fresh, cache.get('third')?.fresh]).toEqual([true, true]);
});

test('a page cached again takes its place once', () => {
  const cache = aCache(20_000);
  for (let n = 0; n < 10; n += 1) cache.keepNow('acme', 'acme', 4_000);
  cache.keepNow('other', 'other', 4_000);
  expect(cache.get('acme')).toBeDefined();
});
