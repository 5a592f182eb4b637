import { expect, test, vi } from 'vitest';
import type { RawEvent } from '../raw-log.ts';
import { shareReads } from './shared-reads.ts';
import { createWakeUp } from './wake-up.ts';

function setUp() {
  const wakeUp = createWakeUp();
  const answers: PromiseWithResolvers<RawEvent[]>[] = [];
  const readAll = vi.fn(() => {
    const answer = Promise.withResolvers<RawEvent[]>();
    answers.push(answer);
    return answer.promise;
  });
  return { wakeUp, answers, readAll, shared: shareReads(readAll, wakeUp) };
}

test('who stands at the same place reads a page once', async () => {
  const { answers, readAll, shared } = setUp();
  const [one, other] = [shared('7', 500), shared('7', 500)];
  const elsewhere = [shared('8', 500), shared('7', 100)];
  expect(readAll).toHaveBeenCalledTimes(3);
  for (const { resolve } of answers) resolve([]);
  expect(await one).toBe(await other);
  await Promise.all(elsewhere);
});

test('a page is not handed to whoever asks after its end, or after a hint', async () => {
  const { wakeUp, answers, readAll, shared } = setUp();
  const before = shared('7', 500);
  wakeUp.poke();
  const after = shared('7', 500);
  expect(readAll).toHaveBeenCalledTimes(2);
  for (const { resolve } of answers) resolve([]);
  await Promise.all([before, after]);
  void shared('7', 500);
  expect(readAll).toHaveBeenCalledTimes(3);
});

test('a failure is everyone’s, and the next one reads anew', async () => {
  const { answers, readAll, shared } = setUp();
  const both = [shared('7', 500), shared('7', 500)];
  answers[0]?.reject(new Error('away'));
  for (const page of both) await expect(page).rejects.toThrow('away');
  void shared('7', 500);
  expect(readAll).toHaveBeenCalledTimes(2);
});
