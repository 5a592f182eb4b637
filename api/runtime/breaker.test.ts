import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Breaker, createBreaker } from './breaker.ts';

let answer: () => Promise<unknown>;
let asked = 0;
let logged: string[];
let breaker: Breaker;

const fails = () => Promise.reject(new Error('away'));
const well = () => Promise.resolve();
const silent = () => new Promise(() => {});

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  logged = [];
  answer = well;
  const say = ({ event }: { event: string }) => logged.push(event);
  const probe = () => {
    asked += 1;
    return answer();
  };
  breaker = createBreaker({ name: 'database', probe, logger: { info: say, warn: say } as never });
});
afterEach(() => {
  breaker.stop();
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('it is open until a call succeeded', async () => {
  expect(breaker.isOpen()).toBe(true);
  answer = fails;
  await breaker.check();
  expect(breaker.isOpen()).toBe(true);
  answer = well;
  await pass(250);
  expect(breaker.isOpen()).toBe(false);
  expect(logged).toEqual(['outage-ended']);
});

test('it watches by itself, and says when an outage begins and ends, once', async () => {
  breaker.heard();
  answer = fails;
  await pass(1_000);
  expect(breaker.isOpen()).toBe(true);
  await pass(5_000);
  answer = well;
  await pass(250);
  expect(breaker.isOpen()).toBe(false);
  expect(logged).toEqual(['outage-began', 'outage-ended']);
});

test('one lost connection is no outage', async () => {
  breaker.heard();
  answer = () => {
    answer = well;
    return fails();
  };
  breaker.suspect();
  await pass(1);
  expect(asked).toBe(2);
  expect(breaker.isOpen()).toBe(false);
});

test('who does not answer at all is unavailable too', async () => {
  breaker.heard();
  answer = silent;
  breaker.suspect();
  await pass(3_100);
  expect(breaker.isOpen()).toBe(true);
});

test('many suspicions are one probe, and none while the outage is known', async () => {
  breaker.heard();
  answer = silent;
  for (let n = 0; n < 50; n += 1) breaker.suspect();
  expect(asked).toBe(1);
  await pass(3_100);
  const known = asked;
  for (let n = 0; n < 50; n += 1) breaker.suspect();
  expect(asked).toBe(known);
});

test('stopped, it asks no more', async () => {
  breaker.heard();
  breaker.stop();
  await pass(10_000);
  expect(asked).toBe(0);
});
