import { toast as sonner } from 'sonner';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryStorage } from '#site/lib/memory-storage.fixture.ts';
import { carryToast, mostToasts, takeCarriedToasts } from './carried-toast.ts';
import { durationOf, shownToasts } from './Toasts.tsx';
import { createToast } from './toast.ts';

test.each(['blank', 'success', 'error', 'info', 'warning'] as const)('a %s toast stays 5000 ms', (kind) => {
  expect(durationOf(kind, {})).toBe(5_000);
});

test('a toast with Undo stays 10 seconds', () => {
  expect(durationOf('info', { undo: () => {} })).toBe(10_000);
});

test('a loading toast stays until it is settled', () => {
  expect(durationOf('loading', {})).toBe(Number.POSITIVE_INFINITY);
});

let toast: ReturnType<typeof createToast>;

beforeEach(async () => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => run());
  toast = createToast(async () => shownToasts);
  await toast.prepare();
});
afterEach(() => {
  for (const { id } of sonner.getToasts()) sonner.dismiss(id);
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
    expect([shownToasts.undoNewest(), shownToasts.undoNewest()]).toEqual([true, false]);
    expect(last).toHaveBeenCalledOnce();
    expect(earlier).not.toHaveBeenCalled();
    expect(shown()).toEqual([]);
  });
});

test('the newest toast with Undo is taken back first', () => {
  const undone: string[] = [];
  for (const job of ['1', '2']) toast.success(job, { slot: job, undo: () => undone.push(job) });
  toast.info('Something else');
  shownToasts.undoNewest();
  shownToasts.undoNewest();
  expect(undone).toEqual(['2', '1']);
});

test('at most 20 toasts are shown: the oldest makes room', () => {
  const ids = Array.from({ length: 25 }, (_, number) => toast.info(`Toast ${number}`));
  expect(mostToasts).toBe(20);
  expect(shown()).toEqual(ids.slice(5));
});

describe('before what shows toasts is loaded', () => {
  test('they wait, and are shown in their order', async () => {
    const load = vi.fn(async () => shownToasts);
    const early = createToast(load);
    const ids = [early.info('First', { id: 'a' }), early.error('Second', { id: 'b' })];
    early.dismiss('a');
    expect(shown()).toEqual([]);
    await early.prepare();
    expect(ids).toEqual(['a', 'b']);
    expect(shown()).toEqual(['b']);
    expect(load).toHaveBeenCalledOnce();
  });

  test('one that is carried to the next page meanwhile is left to that page', async () => {
    vi.stubGlobal('sessionStorage', new MemoryStorage());
    const { promise, resolve } = Promise.withResolvers<typeof shownToasts>();
    const early = createToast(() => promise);
    const ready = early.prepare();
    carryToast('success', 'Job created successfully');
    resolve(shownToasts);
    await ready;
    expect(shown()).toEqual([]);
    expect(takeCarriedToasts()).toEqual([{ kind: 'success', message: 'Job created successfully' }]);
  });

  test('to take one away that never was loads nothing', () => {
    const load = vi.fn(async () => shownToasts);
    createToast(load).dismiss('job-counts');
    expect(load).not.toHaveBeenCalled();
  });
});
