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

test('where it is time to collect, no page is on its way', async () => {
  const { source, read } = walkOf(8);
  const readAt: number[] = [];
  let jobs = 0;
  const collector: Collector = {
    isDueAfter: (more) => {
      jobs += more;
      return jobs % 4 === 0;
    },
    collect: () => readAt.push(read.length),
  };
  expect((await idsOf(ahead(source, collector, length))).flat()).toHaveLength(8);
  expect(readAt).toEqual([2, 4]);
});

test('it is time to collect after each five hundred jobs', () => {
  const collector = createCollector();
  expect([collector.isDueAfter(499), collector.isDueAfter(1)]).toEqual([false, true]);
  collector.collect();
  expect([collector.isDueAfter(300), collector.isDueAfter(300)]).toEqual([false, true]);
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
