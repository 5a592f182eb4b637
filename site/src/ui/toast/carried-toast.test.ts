import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { carryToast, takeCarriedToasts } from './carried-toast.ts';

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test.each(['{', '{}', '[{"kind":"success"}]', '[{"kind":"odd","message":"m"}]'])('%s is no toast', (text) => {
  sessionStorage.setItem('ute.toasts', text);
  expect(takeCarriedToasts()).toEqual([]);
});

test('toasts are carried over to the next page, once', () => {
  carryToast('success', 'Done');
  carryToast('warning', 'But look');
  expect(takeCarriedToasts()).toEqual([
    { kind: 'success', message: 'Done' },
    { kind: 'warning', message: 'But look' },
  ]);
  expect(takeCarriedToasts()).toEqual([]);
});

test('a damaged entry is none', () => {
  sessionStorage.setItem('ute.toasts', '{');
  expect(takeCarriedToasts()).toEqual([]);
});

test('a browser that refuses storage carries nothing and breaks nothing', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied });
  carryToast('success', 'Done');
  expect(takeCarriedToasts()).toEqual([]);
});
