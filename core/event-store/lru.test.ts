import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Lru } from './lru.ts';

test('it remembers what was used last, and forgets what was not', () => {
  const cache = new Lru<number, string>(4);
  for (const key of [1, 2, 3, 4]) cache.set(key, `v${key}`);
  expect(cache.get(1)).toBe('v1');
  cache.set(5, 'v5');
  expect(cache.get(1)).toBe('v1');
  expect(cache.get(5)).toBe('v5');
  expect(cache.get(2)).toBeUndefined();
  cache.delete(1);
  expect(cache.get(1)).toBeUndefined();
});

test('never another value than the last one set, at most the limit, and always the half used last', () => {
  const step = fc.record({ key: fc.nat(12), value: fc.option(fc.nat(), { nil: null }) });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 8 }), fc.array(step, { maxLength: 80 }), (limit, steps) => {
      const cache = new Lru<number, number>(limit);
      const last = new Map<number, number>();
      for (const { key, value } of steps) {
        if (value === null) {
          const found = cache.get(key);
          if (found === undefined) last.delete(key);
          else expect(found).toBe(last.get(key));
        } else {
          cache.set(key, value);
          last.set(key, value);
        }
      }
      const recent = [...new Set(steps.map(({ key }) => key).reverse())].filter((key) => last.has(key));
      const half = recent.slice(0, Math.floor(limit / 2));
      for (const key of half) expect(cache.get(key)).toBe(last.get(key));
      const kept = [...last.keys()].filter((key) => cache.get(key) !== undefined);
      expect(kept.length).toBeLessThanOrEqual(limit);
    }),
  );
});
