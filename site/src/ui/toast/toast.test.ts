import { toast as sonner } from 'sonner';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => run());
});
afterEach(() => {
  for (const { id } of sonner.getToasts()) toast.dismiss(id);
  vi.unstubAllGlobals();
});

const shown = () => sonner.getToasts().map(({ id }) => id);

describe('one slot', () => {
  test('has one toast, the newest, with a time of its own; other slots keep theirs', () => {
    const other = toast.info('Rejected', { slot: 'job:2' });
    const first = toast.success('Quoted', { slot: 'job:1' });
    const second = toast.success('Paid', { slot: 'job:1' });
    expect(second).not.toBe(first);
    expect(shown()).toEqual([other, second]);
  });

  test('takes back the last change alone', () => {
    const [earlier, last] = [vi.fn(), vi.fn()];
    toast.success('Quoted', { slot: 'job:1', undo: earlier });
    toast.success('Paid', { slot: 'job:1', undo: last });
    expect([toast.undoNewest(), toast.undoNewest()]).toEqual([true, false]);
    expect(last).toHaveBeenCalledOnce();
    expect(earlier).not.toHaveBeenCalled();
    expect(shown()).toEqual([]);
  });
});

test('the newest toast with Undo is taken back first', () => {
  const undone: string[] = [];
  for (const job of ['1', '2']) toast.success(job, { slot: job, undo: () => undone.push(job) });
  toast.info('Something else');
  toast.undoNewest();
  toast.undoNewest();
  expect(undone).toEqual(['2', '1']);
});

test('at most 20 toasts are shown: the oldest makes room', () => {
  const ids = Array.from({ length: 25 }, (_, number) => toast.info(`Toast ${number}`));
  expect(mostToasts).toBe(20);
  expect(shown()).toEqual(ids.slice(5));
});
