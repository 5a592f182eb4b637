import { afterEach, expect, test, vi } from 'vitest';
import { committed, done } from './copy-store.ts';

afterEach(() => void vi.useRealTimers());

test('a browser that does not answer what it was to store is not waited for', async () => {
  vi.useFakeTimers();
  const store = { transaction: {} } as IDBObjectStore;
  const outcomes = Promise.allSettled([done({} as IDBRequest), committed(store)]);
  await vi.advanceTimersByTimeAsync(3_000);
  const unanswered = { status: 'rejected', reason: { name: 'TimeoutError' } };
  expect(await outcomes).toMatchObject([unanswered, unanswered]);
});
