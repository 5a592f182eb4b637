import { expect, test } from 'vitest';
import { HttpError } from './answers.ts';
import { createGate } from './limits.ts';

test('lets so many run, so many wait in turn, and refuses the next', async () => {
  const gate = createGate(2, 1);
  const finish: (() => void)[] = [];
  const order: number[] = [];
  const job = (number: number) =>
    gate.run(() => {
      order.push(number);
      return new Promise<void>((resolve) => finish.push(resolve));
    });
  const [first, second, third] = [job(1), job(2), job(3)];
  expect(order).toEqual([1, 2]);
  const refusal = await job(4).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HttpError);
  expect(refusal).toMatchObject({ status: 429, extra: { headers: { 'retry-after': '1' } } });

  finish[0]?.();
  await first;
  await Promise.resolve();
  expect(order).toEqual([1, 2, 3]);
  finish[1]?.();
  finish[2]?.();
  await Promise.all([second, third]);
});

test('a job that fails makes room all the same', async () => {
  const gate = createGate(1, 0);
  await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.run(async () => 'yes')).toBe('yes');
});
