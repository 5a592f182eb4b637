import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, type Item, milliseconds } from '#tests/bench/figure.ts';
import { product } from '#tests/bench/prepared.ts';
import { memoryOf } from '#tests/bench/processes.ts';
import { median } from '#tests/bench/statistics.ts';

const STARTS = 5;
/** How long the product is left alone before its memory is read, in milliseconds. */
const IDLE = 8_000;

/** A warm start on the full data, Postgres included, and what the process holds without requests. */
export const start: Item = {
  name: 'start',
  about: 'from the command to ready, and the memory of an idle process',
  async measure(log): Promise<Figure[]> {
    const times: number[] = [];
    let memory = Number.NaN;
    for (let round = 0; round <= STARTS; round += 1) {
      const began = performance.now();
      const ute = await product('main');
      // The first one may find caches cold.
      if (round > 0) times.push(performance.now() - began);
      if (round === STARTS) {
        await pause(IDLE);
        memory = memoryOf(ute.child.pid ?? 0);
      }
      await ute.stop();
    }
    log(times.map(milliseconds).join('  '));
    const megabytes = memory / 1_000_000;
    return [
      {
        what: 'start to ready, warm',
        ...{ value: milliseconds(median(times)), budget: '≤ 3 s', met: median(times) <= 3_000 },
        note: `${milliseconds(Math.min(...times))} to ${milliseconds(Math.max(...times))}, ${times.length} starts`,
      },
      {
        what: 'idle memory, Postgres apart',
        ...{ value: `${megabytes.toFixed(0)} MB`, budget: '≤ 300 MB', met: megabytes <= 300 },
      },
    ];
  },
};
