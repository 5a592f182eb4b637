import { afterEach, expect, test, vi } from 'vitest';
import { askForLastingStorage } from './lasting-storage.ts';
import { newId } from './new-id.ts';
import { subtleCrypto } from './sealing.ts';
import { copyText } from './sharing.ts';
import { aloneAmongTabs, isLocked } from './tab-work.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const work = vi.fn(async () => {});

test('over plain http work runs without locks, ids are UUIDs, nothing is sealed and a copy says that it failed', async () => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(await aloneAmongTabs('lock', work)).toBe(true);
  expect(work).toHaveBeenCalledOnce();
  expect([await isLocked('lock'), await copyText('link'), await askForLastingStorage()]).toEqual([
    ...[false, false, undefined],
  ]);
  expect(newId()).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(subtleCrypto).toThrow('No https');
});

test('where storage is refused so are locks, and work runs without them; what the work throws is its own', async () => {
  const request =
    (refusal?: unknown) => async (_: string, __: LockOptions, run: (lock: object) => unknown) => {
      if (refusal) throw refusal;
      return run({});
    };
  const refused = new DOMException('Refused', 'SecurityError');
  vi.stubGlobal('navigator', { locks: { request: request(refused), query: () => Promise.reject(refused) } });
  expect([await aloneAmongTabs('lock', work), await isLocked('lock')]).toEqual([true, false]);
  vi.stubGlobal('navigator', { locks: { request: request() } });
  const failing = vi.fn().mockRejectedValue(refused);
  await expect(aloneAmongTabs('lock', failing)).rejects.toBe(refused);
  expect(failing).toHaveBeenCalledOnce();
});
