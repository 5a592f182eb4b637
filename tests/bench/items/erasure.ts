import type { Pool } from 'pg';
import { lockNumbers } from '#core/postgres/locks.ts';
import { type Figure, type Item, milliseconds } from '#tests/bench/figure.ts';
import { database, fill, prepared, product, ute } from '#tests/bench/prepared.ts';
import { median, percentile } from '#tests/bench/statistics.ts';
import { workingJobs } from './command-to-visible.ts';

const JOBS = 100_000;
const CUSTOMERS = 5;
/** Milliseconds between two looks at the append lock, and how many of them come before the erasure. */
const LOOK_EVERY = 20;
const LOOKS_BEFORE = 500;

/** `ute forget` beside the product that serves and follows, and how long an append waits for its lock meanwhile. */
export const erasure: Item = {
  name: 'erasure',
  about: `removing a customer, and a business of ${JOBS} jobs`,
  async measure(log): Promise<Figure[]> {
    await fill('carried', { businesses: 2, jobs: 20, heavy: JOBS }, log);
    const running = await product('carried');
    const bare = await database('carried', 2);
    try {
      await untilFollowed(bare.pool);
      const customers = (await workingJobs(bare.pool)).slice(0, CUSTOMERS);
      const seconds: number[] = [];
      for (const { job_id } of customers) seconds.push(await forget('job', job_id));
      log(`customers: ${seconds.map((one) => `${one.toFixed(1)} s`).join('  ')}`);
      const idle = await waits(bare.pool, (looks) => looks < LOOKS_BEFORE);
      let isDone = false;
      const looking = waits(bare.pool, () => !isDone);
      const whole = await forget('business', prepared('carried').slug).finally(() => {
        isDone = true;
      });
      return figures(seconds, whole, { idle, busy: await looking });
    } finally {
      await bare.close();
      await running.stop();
    }
  },
};

/** An erasure waits for all that follows the log, and a log that was just filled takes the worker a minute. */
async function untilFollowed(pool: Pool): Promise<void> {
  const behind = 'select 1 from read.checkpoints where position < (select max(pos) from event_store.events)';
  while ((await pool.query(behind)).rows.length > 0) await Bun.sleep(1_000);
}

/** Seconds of the whole command, from its start to its end. */
async function forget(what: 'job' | 'business', id: string): Promise<number> {
  const began = performance.now();
  const said = await ute('carried', ['forget', what, id, '--now']);
  if (!/ 1 removed$/m.test(said)) throw new Error(`the erasure said: ${said}`);
  return (performance.now() - began) / 1_000;
}

/** How long the append lock was waited for, again and again, in milliseconds. */
async function waits(pool: Pool, isWanted: (looks: number) => boolean): Promise<number[]> {
  const waited: number[] = [];
  while (isWanted(waited.length)) {
    const began = performance.now();
    await pool.query(`select pg_advisory_xact_lock(${lockNumbers.append})`);
    waited.push(performance.now() - began);
    await Bun.sleep(LOOK_EVERY);
  }
  return waited;
}

function figures(
  customers: readonly number[],
  business: number,
  { idle, busy }: Readonly<Record<'idle' | 'busy', readonly number[]>>,
): Figure[] {
  const slowest = Math.max(...customers);
  const inWords = (waited: readonly number[]) =>
    `${milliseconds(percentile(waited, 0.99))}, longest ${milliseconds(Math.max(...waited))}`;
  return [
    {
      what: 'erasure of one customer, start of the command included',
      ...{ value: `${slowest.toFixed(1)} s`, budget: '≤ 2 s', met: slowest <= 2 },
      note: `slowest of ${customers.length}, median ${median(customers).toFixed(1)} s`,
    },
    {
      what: `erasure of a business of ${JOBS.toLocaleString('en')} jobs`,
      ...{ value: `${(business / 60).toFixed(1)} min`, budget: '≤ 15 min', met: business <= 15 * 60 },
      note: `${Math.round(JOBS / business)} jobs/s`,
    },
    {
      what: 'wait for the append lock meanwhile, p99',
      ...{ value: inWords(busy), control: inWords(idle), budget: 'no longer than an append', met: null },
      note: `${busy.length} looks`,
    },
  ];
}
