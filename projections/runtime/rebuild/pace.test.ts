import { expect, test } from 'vitest';
import { fastPace, gentlePace } from './pace.ts';

const hurried = AbortSignal.abort();

test('gentle batches grow while they are quick and shrink when they are slow, within bounds', async () => {
  const pace = gentlePace();
  const sizes = [pace.batch()];
  for (const took of [1, 1, 15, 60, 60]) {
    await pace.rest(took, hurried);
    sizes.push(pace.batch());
  }
  expect(sizes).toEqual([250, 500, 1_000, 1_000, 500, 250]);
  for (let n = 0; n < 9; n++) await pace.rest(1_000, hurried);
  expect(pace.batch()).toBe(50);
  for (let n = 0; n < 9; n++) await pace.rest(1, hurried);
  expect(pace.batch()).toBe(2_000);
});

test('others have the machine for longer than a gentle batch took; a fast one goes on at once', async () => {
  const signal = new AbortController().signal;
  const started = performance.now();
  await fastPace().rest(10_000, signal);
  const between = performance.now();
  await gentlePace().rest(20, signal);
  expect(between - started).toBeLessThan(5_000);
  expect(performance.now() - between).toBeGreaterThanOrEqual(20);
});
