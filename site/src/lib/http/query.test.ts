import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Copies } from '#site/lib/offline/copies.ts';
import { ApiError, request } from './api.ts';
import { createQueries, type Read, retryDelay } from './query.ts';

const copies = { read: vi.fn<Copies['read']>(), store: vi.fn<Copies['store']>() };
const { query, refreshQueries } = createQueries({ request, copies });

const outage = new ApiError('Try later', 503);
let key = 0;
/** A key that no other test has used: the cache lives as long as the page. */
const newKey = () => `test-${++key}`;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a query', () => {
  test('loads with its first listener, once for all of them', async () => {
    const load = vi.fn(async () => 'jobs');
    const name = newKey();
    expect(query(name, load).$state.get()).toMatchObject({ status: 'pending' });
    query(name, load).$state.listen(() => {});
    query(name, load).$state.listen(() => {});
    await vi.advanceTimersByTimeAsync(0);
    expect(load).toHaveBeenCalledTimes(1);
    expect(query(name, load).$state.get()).toMatchObject({
      status: 'success',
      fetchStatus: 'idle',
      data: 'jobs',
    });
  });

  test('has 3 retries, after 1, 2 and 4 seconds, then gives up', async () => {
    const load = vi.fn(async () => Promise.reject(outage));
    const { $state } = query(newKey(), load);
    $state.listen(() => {});
    const calls: number[] = [];
    for (const wait of [0, 999, 1, 1_999, 1, 3_999, 1, 60_000]) {
      await vi.advanceTimersByTimeAsync(wait);
      calls.push(load.mock.calls.length);
    }
    expect(calls).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect($state.get()).toMatchObject({ status: 'error', fetchStatus: 'idle', error: outage });
  });

  test('does not ask again where that cannot help', async () => {
    const load = vi.fn(async () => Promise.reject(new ApiError('Not found', 404)));
    const { $state } = query(newKey(), load);
    $state.listen(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(load).toHaveBeenCalledTimes(1);
    expect($state.get()).toMatchObject({ status: 'error' });
  });

  test('still has its data when a later load fails', async () => {
    let answer = async () => 'old';
    const { $state, refresh } = query(newKey(), () => answer());
    $state.listen(() => {});
    await vi.advanceTimersByTimeAsync(0);
    answer = () => Promise.reject(new ApiError('No', 422));
    await refresh();
    expect($state.get()).toMatchObject({ status: 'error', data: 'old' });
  });

  test('is paused while offline and goes on by itself', async () => {
    const online = new EventTarget();
    vi.stubGlobal('navigator', { onLine: false });
    vi.stubGlobal('window', online);
    const load = vi.fn(async () => 'jobs');
    const { $state } = query(newKey(), load);
    $state.listen(() => {});
    await vi.advanceTimersByTimeAsync(10_000);
    expect($state.get()).toMatchObject({ status: 'pending', fetchStatus: 'paused' });
    expect(load).not.toHaveBeenCalled();
    vi.stubGlobal('navigator', { onLine: true });
    online.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect($state.get()).toMatchObject({ status: 'success', data: 'jobs' });
  });

  test('a refresh during a load follows it, once', async () => {
    const load = vi.fn(() => new Promise<string>((resolve) => setTimeout(() => resolve('jobs'), 100)));
    const { $state, refresh } = query(newKey(), load);
    $state.listen(() => {});
    void refresh();
    void refresh();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('what is put during a load stays, and is loaded once more', async () => {
    const answers = ['first', 'before the change', 'after the change'];
    const load = vi.fn(
      async () => new Promise((answer) => setTimeout(() => answer(answers[load.mock.calls.length - 1]), 100)),
    );
    const { $state, refresh, update } = query<unknown>(newKey(), load);
    const seen: unknown[] = [];
    $state.listen(({ data }) => seen.at(-1) !== data && seen.push(data));
    await vi.advanceTimersByTimeAsync(100);
    void refresh();
    await vi.advanceTimersByTimeAsync(50);
    update(() => 'changed');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toEqual(['first', 'changed', 'after the change']);
    expect(load).toHaveBeenCalledTimes(3);
    expect($state.get()).toMatchObject({ fetchStatus: 'idle' });
  });

  test('is dropped 5 minutes after its last listener went, and not before', async () => {
    const load = vi.fn(async () => 'jobs');
    const name = newKey();
    const known = query(name, load);
    const stop = known.$state.listen(() => {});
    await vi.advanceTimersByTimeAsync(0);
    stop();
    // nanostores takes a second to see that no listener is left.
    await vi.advanceTimersByTimeAsync(1_000 + 5 * 60_000 - 1);
    expect(query(name, load)).toBe(known);
    await vi.advanceTimersByTimeAsync(1);
    expect(query(name, load)).not.toBe(known);
  });
});

describe('a query that reads offline', () => {
  const stored = { payload: 'jobs of this morning', at: 1_000 };
  const load = (_: AbortSignal, read: Read) => read('/jobs');
  const open = (readsOffline: boolean) => {
    const { $state } = query(newKey(), load, { readsOffline });
    $state.listen(() => {});
    return $state;
  };

  /** The network as the page meets it: gone, or with an API that answers after that many milliseconds. */
  function stubNetwork(answersAfter: number | null): EventTarget {
    const page = new EventTarget();
    vi.stubGlobal('window', page);
    vi.stubGlobal('navigator', { onLine: answersAfter !== null });
    vi.stubGlobal('document', { documentElement: { dataset: {} } });
    vi.stubGlobal('fetch', async () => {
      await new Promise((resolve) => setTimeout(resolve, answersAfter ?? 0));
      return Response.json({ status: 'ok' });
    });
    return page;
  }

  beforeEach(() => void copies.read.mockReset().mockResolvedValue(stored));

  test('shows what was cached while there is no network, and the server’s answer once there is', async () => {
    const page = stubNetwork(null);
    const $state = open(true);
    await vi.advanceTimersByTimeAsync(0);
    expect($state.get()).toMatchObject({
      ...{
        status: 'success',
        fetchStatus: 'paused',
        data: stored.payload,
        isCopy: true,
        updatedAt: stored.at,
      },
    });
    vi.stubGlobal('navigator', { onLine: true });
    page.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(1);
    expect($state.get()).toMatchObject({ status: 'success', fetchStatus: 'idle' });
    expect($state.get().isCopy).toBeUndefined();
  });

  test('waits 3 seconds for the server before it shows what was cached', async () => {
    stubNetwork(5_000);
    const $state = open(true);
    await vi.advanceTimersByTimeAsync(2_999);
    expect($state.get()).toMatchObject({ status: 'pending' });
    await vi.advanceTimersByTimeAsync(1);
    expect($state.get()).toMatchObject({ data: stored.payload, isCopy: true, fetchStatus: 'fetching' });
    await vi.advanceTimersByTimeAsync(2_000);
    expect($state.get().isCopy).toBeUndefined();
  });

  test('is the only one that reads what was cached', async () => {
    stubNetwork(null);
    const $state = open(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect($state.get()).toMatchObject({ status: 'pending', fetchStatus: 'paused' });
    expect(copies.read).not.toHaveBeenCalled();
  });

  test('waits on where nothing was cached', async () => {
    stubNetwork(null);
    copies.read.mockResolvedValue(null);
    const $state = open(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect($state.get()).toMatchObject({ status: 'pending', fetchStatus: 'paused' });
  });
});

test('only listened queries load again when the world changed', async () => {
  const [shown, hidden] = [vi.fn(async () => 1), vi.fn(async () => 2)];
  const prefix = newKey();
  query(`${prefix}-shown`, shown).$state.listen(() => {});
  query(`${prefix}-hidden`, hidden);
  await vi.advanceTimersByTimeAsync(0);
  refreshQueries((name) => name.startsWith(prefix));
  await vi.advanceTimersByTimeAsync(0);
  expect([shown.mock.calls.length, hidden.mock.calls.length]).toEqual([2, 0]);
});

test('the delay doubles from 1 s to 30 s and never undercuts the server', () => {
  expect([0, 1, 2, 3, 4, 5, 9].map((attempt) => retryDelay(attempt, null))).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
  expect(retryDelay(0, 12)).toBe(12_000);
});
