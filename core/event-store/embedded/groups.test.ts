import { afterEach, expect, test, vi } from 'vitest';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { createGroups } from './groups.ts';

afterEach(() => vi.useRealTimers());

const fulfilled = (value: string) => ({ status: 'fulfilled', value }) as const;

/** Answers each item with itself, once the group is let go; keeps the groups that were sent. */
function station({ most = 3, heaviest = 100, timeoutMs = 60_000 } = {}) {
  const groups: (readonly string[])[] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const ask = createGroups<string, string>({
    ...{ most, heaviest, timeoutMs },
    weigh: (item) => item.length,
    async send(items) {
      groups.push(items);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return items.map(fulfilled);
    },
  });
  const turns = async () => {
    for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    ask,
    groups,
    async next(failure?: Error) {
      await turns();
      const gate = gates.shift();
      if (failure) gate?.reject(failure);
      else gate?.resolve();
      await turns();
    },
  };
}

test('what comes while a group is in flight goes with the next, in order of arrival, up to the bound', async () => {
  const { ask, groups, next } = station();
  const first = ask('a');
  await next();
  expect(await first).toBe('a');
  const items = ['b', 'c', 'd', 'e', 'f'].map(ask);
  await next();
  await next();
  expect(await Promise.all(items)).toEqual(['b', 'c', 'd', 'e', 'f']);
  expect(groups).toEqual([['a'], ['b', 'c', 'd'], ['e', 'f']]);
});

test('a caller that is answered and appends again at once shares a group with those that waited meanwhile', async () => {
  const { ask, groups, next } = station();
  const again = ask('a').then(() => ask('a again'));
  await next();
  await next();
  expect(await again).toBe('a again');
  const other = ask('b').then(() => ask('b again'));
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = ask('c');
  await next();
  await next();
  expect([await other, await waiting]).toEqual(['b again', 'c']);
  expect(groups.slice(2)).toEqual([['b'], ['c', 'b again']]);
});

test('a group is no heavier than the bound, and what is heavier alone goes alone', async () => {
  const { ask, groups, next } = station({ heaviest: 5 });
  const items = ['aaa', 'bb', 'c', 'dddddddd', 'e'].map(ask);
  for (let n = 0; n < 4; n += 1) await next();
  await Promise.all(items);
  expect(groups).toEqual([['aaa', 'bb'], ['c'], ['dddddddd'], ['e']]);
});

test('a group that fails fails for each of its items, and for no other', async () => {
  const { ask, next } = station();
  const items = ['a', 'b', 'c', 'd'].map((item) => ask(item).catch((error: Error) => error.message));
  await next(new Error('away'));
  await next();
  expect(await Promise.all(items)).toEqual(['away', 'away', 'away', 'd']);
});

test('one item may be refused alone', async () => {
  const ask = createGroups<string, string>({
    ...{ most: 9, heaviest: 9, timeoutMs: 60_000, weigh: () => 0 },
    send: async (items) =>
      items.map((item) =>
        item === 'bad' ? { status: 'rejected', reason: new Error('refused') } : fulfilled(item),
      ),
  });
  const outcomes = await Promise.allSettled([ask('a'), ask('bad'), ask('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('no append waits longer than the limit, and what gave up in the queue is not sent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask, groups, next } = station({ timeoutMs: 20 });
  const stuck = expect(ask('a')).rejects.toThrow(EventStoreUnavailableError);
  await new Promise((resolve) => setImmediate(resolve));
  const queued = expect(ask('b')).rejects.toThrow(EventStoreUnavailableError);
  vi.advanceTimersByTime(20);
  await Promise.all([stuck, queued]);
  await next();
  const late = ask('c');
  await next();
  expect(await late).toBe('c');
  expect(groups).toEqual([['a'], ['c']]);
});
