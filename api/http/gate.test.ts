import { expect, test } from 'vitest';
import { HttpError } from './answers.ts';
import { createGate, type Gate, type Turn } from './gate.ts';

/** Work that ends when it is told to, and the order in which it began. */
function jobs(gate: Gate) {
  const began: string[] = [];
  const finish: (() => void)[] = [];
  const run = (name: string, turn?: Turn) =>
    gate.run(() => {
      began.push(name);
      return new Promise<string>((resolve) => finish.push(() => resolve(name)));
    }, turn);
  const outcome = (work: Promise<string>) => work.catch((error: HttpError) => error.status);
  const finishOne = async () => {
    finish.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { began, run: (name: string, turn?: Turn) => outcome(run(name, turn)), finishOne };
}

test('lets so many run, so many wait in turn, and refuses the next', async () => {
  const gate = createGate({ atOnce: 2, waiting: 1 });
  const { began, run, finishOne } = jobs(gate);
  const all = [run('1'), run('2'), run('3')];
  expect(began).toEqual(['1', '2']);
  const refusal = await gate.run(async () => {}).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HttpError);
  expect(refusal).toMatchObject({ status: 429, extra: { headers: { 'retry-after': '1' } } });
  await finishOne();
  expect(began).toEqual(['1', '2', '3']);
  await finishOne();
  await finishOne();
  expect(await Promise.all(all)).toEqual(['1', '2', '3']);
});

test('work that fails makes room all the same', async () => {
  const gate = createGate({ atOnce: 1, waiting: 0 });
  await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await gate.run(async () => 'yes')).toBe('yes');
});

test('sources take turns, however many of one came first', async () => {
  const { began, run, finishOne } = jobs(createGate({ atOnce: 1, waiting: 10 }));
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => run(name, { source: name.charAt(0) }));
  for (const _ of all) await finishOne();
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  await Promise.all(all);
});

test('of one source only so many wait, and a full gate gives a place of the largest crowd to another', async () => {
  const { began, run, finishOne } = jobs(createGate({ atOnce: 1, waiting: 3, ofSource: 3 }));
  const [a1, a2, a3, a4] = ['a1', 'a2', 'a3', 'a4'].map((name) => run(name, { source: 'a' }));
  expect(await run('a5', { source: 'a' })).toBe(429);
  const b1 = run('b1', { source: 'b' });
  expect(await a4).toBe(429);
  const others = [run('b2', { source: 'b' }), run('c1', { source: 'c' })];
  expect([await others[0], await a3]).toEqual([429, 429]);
  for (let left = 4; left > 0; left -= 1) await finishOne();
  expect(began).toEqual(['a1', 'b1', 'c1', 'a2']);
  expect(await Promise.all([a1, a2, b1, others[1]])).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('a client that has gone waits no longer, and its place is free', async () => {
  const gone = new AbortController();
  const { began, run, finishOne } = jobs(createGate({ atOnce: 1, waiting: 1 }));
  const first = run('1');
  const left = run('2', { source: 'a', signal: gone.signal });
  gone.abort();
  expect(await left).toBe(408);
  const third = run('3');
  expect(await run('4', { source: 'b', signal: gone.signal })).toBe(408);
  await finishOne();
  await finishOne();
  expect(began).toEqual(['1', '3']);
  expect(await Promise.all([first, third])).toEqual(['1', '3']);
});
