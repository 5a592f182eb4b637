import { toast as sonner } from 'sonner';
import { expect, test, vi } from 'vitest';
import { durationOf, toast } from './toast.ts';
import { mostToasts } from './toast-limits.ts';

test.each(['blank', 'success', 'error', 'info', 'warning'] as const)('a %s toast stays 5000 ms', (kind) => {
  expect(durationOf(kind, {})).toBe(5_000);
});

test('a toast with Undo stays 10 seconds', () => {
  expect(durationOf('info', { undo: () => {} })).toBe(10_000);
});

test('a loading toast stays until it is settled', () => {
  expect(durationOf('loading', {})).toBe(Number.POSITIVE_INFINITY);
});

test('at most 20 toasts are shown: the oldest makes room', () => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => run());
  const ids = Array.from({ length: 25 }, (_, number) => toast.info(`Toast ${number}`));
  expect(mostToasts).toBe(20);
  expect(sonner.getToasts().map(({ id }) => id)).toEqual(ids.slice(5));
  vi.unstubAllGlobals();
});
