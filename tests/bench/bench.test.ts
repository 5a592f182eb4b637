import { describe, expect, test } from 'vitest';
import { readAnswer } from './http-client.ts';
import { openLoop, sendTimes } from './open-loop.ts';
import { inPairs } from './pairs.ts';
import { tableOf } from './report.ts';
import { median, percentile, ratioOf } from './statistics.ts';

describe('statistics', () => {
  test('a percentile is a value that was measured', () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1)]).toEqual([
      100, 198, 200,
    ]);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test('the median of an even number lies between the middle two', () => {
    expect([median([4, 1, 2, 3]), median([3, 1, 2]), median([7])]).toEqual([2.5, 2, 7]);
    expect(median([])).toBeNaN();
  });

  test('a ratio compares each measurement with its own neighbour', () => {
    expect(
      ratioOf([
        [10, 20],
        [90, 100],
        [1, 1],
      ]),
    ).toEqual({ median: 0.9, least: 0.5, most: 1, pairs: 3 });
  });

  test('pairs take turns at going first', async () => {
    const order: string[] = [];
    const run = (name: string) => async (round: number) => order.push(`${name}${round}`);
    await inPairs(3, run('a'), run('b'));
    expect(order).toEqual(['a0', 'b0', 'b1', 'a1', 'a2', 'b2']);
  });
});

describe('the open loop', () => {
  test('has its send times beforehand, on average as many as it was asked for', () => {
    const times = sendTimes({ perSecond: 50, seconds: 100 });
    expect(times).toEqual(sendTimes({ perSecond: 50, seconds: 100 }));
    expect(times.length).toBeGreaterThan(4_700);
    expect(times.length).toBeLessThan(5_300);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('counts the wait of those who would have come while one answer took long', async () => {
    let busy = Promise.resolve();
    const slowOnce = (index: number) => {
      busy = busy.then(() => (index === 0 ? Bun.sleep(200) : undefined));
      return busy;
    };
    const { latencies } = await openLoop({ perSecond: 100, seconds: 0.3 }, slowOnce);
    expect(latencies.filter((latency) => latency > 50).length).toBeGreaterThan(5);
  });

  test('counts a failure as the longest wait', async () => {
    const { latencies, failed } = await openLoop({ perSecond: 50, seconds: 0.1 }, () =>
      Promise.reject(new Error()),
    );
    expect(failed).toBe(latencies.length);
    expect(new Set(latencies)).toEqual(new Set([5_000]));
  });
});

describe('answers over a persistent connection', () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1');

  test.each([
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok', 200],
    ['HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n', 404],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', 200],
  ])('%j is whole, and nothing less is', (text, status) => {
    expect(readAnswer(bytes(text))).toMatchObject({ status });
    for (let length = 0; length < text.length; length += 1) {
      expect(readAnswer(bytes(text.slice(0, length)))).toBeNull();
    }
  });
});

test('the report puts ratios first, each beside its budget', () => {
  const ratio = { median: 0.5, least: 0.4, most: 0.75, pairs: 3 };
  const figure = {
    what: 'append',
    value: '1,000/s',
    control: '2,000/s',
    ratio,
    budget: '≥ 60 %',
    met: false,
  };
  const machine = { processor: 'x', cores: 2, memoryGb: 4, bun: '1', postgres: '18', fsyncs: 900 };
  const items = [{ item: 'append', load: '1.0 to 1.2', seconds: 3, figures: [figure] }];
  const table = tableOf({ at: '2026-11-20', commit: 'abc', machine, items });
  expect(table).toContain('2 cores, 4 GB; Bun 1, Postgres 18, 900 fsyncs/s');
  expect(table).toContain('| append | 0.50 (0.40 to 0.75, 3 pairs) | 1,000/s  | 2,000/s | ≥ 60 % | NO  |');
});
