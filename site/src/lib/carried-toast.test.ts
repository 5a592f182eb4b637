import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { carryToast, showCarriedToasts } from './carried-toast.ts';
import { MemoryStorage } from './memory-storage.fixture.ts';
import { toast } from './toast.ts';

vi.mock('./toast.ts', () => ({ toast: { success: vi.fn(), warning: vi.fn() } }));

beforeEach(() => {
  vi.stubGlobal('sessionStorage', new MemoryStorage());
  vi.clearAllMocks();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('toasts are carried over to the next page, once', () => {
  carryToast('success', 'Done');
  carryToast('warning', 'But look');
  showCarriedToasts();
  showCarriedToasts();
  expect(vi.mocked(toast.success).mock.calls).toEqual([['Done']]);
  expect(vi.mocked(toast.warning).mock.calls).toEqual([['But look']]);
});

test('a damaged entry is none', () => {
  sessionStorage.setItem('ute.toasts', '{');
  showCarriedToasts();
  expect(toast.success).not.toHaveBeenCalled();
});
