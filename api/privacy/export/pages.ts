import { edenGC, heapSize } from 'bun:jsc';
import type { JobsAfter } from '#projections/jobs/details.ts';

/** After so many jobs their garbage is collected. */
const COLLECT_EVERY = 1_000;
/**
 * Such a collection looks at what is new alone: what was in use just then it leaves for ever. So many bytes of that, and
 * one looks at the whole heap, which takes ten times as long.
 */
const MOST_LEFT = 8 * 1024 * 1024;

/** All jobs of a walk, page by page. */
export async function* pages<Job extends JobsAfter>(
  size: number,
  read: (after: JobsAfter | null, size: number) => Promise<Job[]>,
): AsyncGenerator<readonly Job[]> {
  for (let after: JobsAfter | null = null; ; ) {
    const page: Job[] = await read(after, size);
    if (page.length > 0) yield page;
    if (page.length < size) return;
    after = page.at(-1) ?? after;
  }
}

/** Collects what pages leave behind: by itself the heap grows to several times what is in use. */
export type Collector = Readonly<{
  /** Counts what was read, as much as so many jobs, and answers whether it is time to collect. */
  isDueAfter(jobs: number): boolean;
  /** Waits for a collection: this process answers no request meanwhile. */
  collect(): void;
}>;

export function createCollector(): Collector {
  let jobs = 0;
  let least = Number.POSITIVE_INFINITY;
  return {
    isDueAfter(more) {
      jobs += more;
      return jobs >= COLLECT_EVERY;
    },
    collect() {
      jobs = 0;
      const left = edenGC();
      least = Math.min(least, left);
      if (left - least < MOST_LEFT) return;
      Bun.gc(true);
      least = heapSize();
    },
  };
}

/**
 * The same, the next of them read while one is being written: the database works meanwhile. Where it is time to collect, the next is
 * asked for just before and read afterwards: what had come by then would stay until the whole heap is looked at.
 */
export async function* ahead<T>(
  source: AsyncGenerator<T>,
  collector: Collector,
  jobsOf: (page: T) => number,
): AsyncGenerator<T> {
  // It is thrown where it is awaited, unless the reader has gone by then.
  const ask = () => {
    const asked = source.next();
    asked.catch(() => {});
    return asked;
  };
  let next = ask();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      const isDue = collector.isDueAfter(jobsOf(value));
      if (!isDue) next = ask();
      yield value;
      if (isDue) {
        next = ask();
        await untilSent();
        collector.collect();
      }
    }
  } finally {
    await source.return(undefined);
  }
}

/** A turn of the event loop: what was asked for has gone out by then, and no answer was read. */
const untilSent = () => new Promise((resolve) => setImmediate(resolve));
