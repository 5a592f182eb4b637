import { expect, test } from 'vitest';
import { durationOf } from './toast.ts';

test.each(['blank', 'success', 'error', 'info', 'warning'] as const)('a %s toast stays 5000 ms', (kind) => {
  expect(durationOf(kind, {})).toBe(5_000);
});

test('a toast with Undo stays 10 seconds', () => {
  expect(durationOf('info', { undo: () => {} })).toBe(10_000);
});

test('a loading toast stays until it is settled', () => {
  expect(durationOf('loading', {})).toBe(Number.POSITIVE_INFINITY);
});
