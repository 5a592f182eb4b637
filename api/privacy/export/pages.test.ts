import { expect, test } from 'vitest';
import { ahead, type Collector, createCollector, pages } from './pages.ts';

const never: Collector = { isDueAfter: () => false, collect: () => {} };
const length = (page: readonly unknown[]) => page.length;

/** Jobs of a walk, and the ids after which a page of them was read. */
function walkOf(jobs: number) {
  const all = Array.from({ length: jobs }, (_, n) => ({ id: `${n}`, createdAt: 'then' }));
  const read: (string | null)[] = [];
  const source = pages(2, async (after, size) => {
    read.push(after?.id ?? null);
    const from = after ? Number(after.id) + 1 : 0;
    return all.slice(from, from + size);
  });
  return { source, read };
}

async function idsOf(source: AsyncIterable<readonly { id: string }[]>): Promise<string[][]> {
  const found: string[][] = [];
  for await (const page of source) found.push(page.map(({ id }) => id));
  return found;
}

test('pages are all jobs once, in order, however many are on the last one', async () => {
  expect(await idsOf(ahead(walkOf(0).source, never, length))).toEqual([]);
  expect(await idsOf(ahead(walkOf(3).source, never, length))).toEqual([['0', '1'], ['2']]);
  expect(await idsOf(ahead(walkOf(4).source, never, length))).toEqual([
    ['0', '1'],
    ['2', '3'],
  ]);
});

test('a page is read while the one before is written, and none once the reader has gone', async () => {
  const { source, read } = walkOf(20);
  for await (const _ of ahead(source, never, length)) {
    await Promise.resolve();
    expect(read).toEqual([null, '1']);
    break;
  }
  await Promise.resolve();
  expect(read).toEqual([null, '1']);
});

test('where it is time to collect, the next page is asked for, and not read', async () => {
  const asked: number[] = [];
  const read: number[] = [];
  const source = pages(2, async (after, size) => {
    const from = after ? Number(after.id) + 1 : 0;
    asked.push(from);
    // As a database answers: in a later turn of the event loop than the one in which it is asked.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    read.push(from);
    return Array.from({ length: from < 8 ? size : 0 }, (_, n) => ({ id: `${from + n}`, createdAt: 'then' }));
  });
  const collected: [asked: number, read: number][] = [];
  let jobs = 0;
  const collector: Collector = {
    isDueAfter: (more) => {
      jobs += more;
      return jobs % 4 === 0;
    },
    collect: () => collected.push([asked.length, read.length]),
  };
  expect((await idsOf(ahead(source, collector, length))).flat()).toHaveLength(8);
  expect(collected).toEqual([
    [3, 2],
    [5, 4],
  ]);
});

test('it is time to collect after each thousand jobs', () => {
  const collector = createCollector();
  expect([collector.isDueAfter(999), collector.isDueAfter(1)]).toEqual([false, true]);
  collector.collect();
  expect([collector.isDueAfter(600), collector.isDueAfter(600)]).toEqual([false, true]);
});

test('a page that cannot be read is an error where it is awaited', async () => {
  async function* source() {
    yield [1];
    throw new Error('the database is unavailable');
  }
  const read = ahead(source(), never, length);
  expect((await read.next()).value).toEqual([1]);
  await expect(read.next()).rejects.toThrow('the database is unavailable');
});
