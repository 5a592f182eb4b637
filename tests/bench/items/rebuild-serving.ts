import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, type Item, milliseconds, perSecond } from '#tests/bench/figure.ts';
import { openLoop, type Sent, soundness, together } from '#tests/bench/open-loop.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { type BenchDatabase, database, prepared, product, startUte } from '#tests/bench/prepared.ts';
import { type SignedIn, signIn } from '#tests/bench/signed-in.ts';
import { median, percentile, ratioOf } from '#tests/bench/statistics.ts';
import { rebuildKey } from '#tests/bench/tables.ts';

const PAIRS = 4;
const SECONDS = 8;
/** How long a rebuild runs before its neighbours are asked, in milliseconds. */
const WARM_UP = 2_000;

/** What people notice of a rebuild while they work. It is broken off after each round: that changes nothing. */
export const rebuildServing: Item = {
  name: 'rebuild-serving',
  about: 'the list of 75 while jobs is rebuilt, against the same list without',
  async measure(log): Promise<Figure[]> {
    const ute = await product('main');
    const bare = await database('main');
    try {
      const tradie = await signIn(ute.url, prepared('main'));
      const rates: number[] = [];
      await listFor(tradie, 2);
      const pairs = await inPairs(
        PAIRS,
        () => whileRebuilding(bare, rates, () => listFor(tradie, SECONDS)),
        () => listFor(tradie, SECONDS),
      );
      tradie.close();
      log(
        pairs
          .map((pair) => pair.map((sent) => percentile(sent.latencies, 0.99).toFixed(1)).join(' : '))
          .join('  '),
      );
      return [figure(pairs, rates)];
    } finally {
      await bare.close();
      await ute.stop();
    }
  },
};

function listFor(tradie: SignedIn, seconds: number): Promise<Sent> {
  return openLoop({ perSecond: 50, seconds }, () => tradie.get('/api/jobs'));
}

async function whileRebuilding<T>(bare: BenchDatabase, rates: number[], work: () => Promise<T>): Promise<T> {
  const child = startUte('main', ['projections', 'rebuild', 'jobs', '--gentle']);
  try {
    await pause(WARM_UP);
    const [from, start] = [await progress(bare), performance.now()];
    const done = await work();
    rates.push((((await progress(bare)) - from) * 1_000) / (performance.now() - start));
    return done;
  } finally {
    child.kill('SIGINT');
    await child.exited;
  }
}

async function progress({ pool }: BenchDatabase): Promise<number> {
  const { rows } = await pool.query<{ position: string }>(
    'select position from read.checkpoints where projection = $1',
    [rebuildKey],
  );
  return Number(rows[0]?.position ?? 0);
}

function figure(pairs: readonly (readonly [Sent, Sent])[], rates: readonly number[]): Figure {
  const ratio = ratioOf(
    pairs.map(([a, b]) => [percentile(a.latencies, 0.99), percentile(b.latencies, 0.99)]),
  );
  const [during, without] = [together(pairs.map(([a]) => a)), together(pairs.map(([, b]) => b))];
  const { isVoid, note } = soundness(together([during, without]));
  const inBudget = ratio.median < 1.5 && during.failed === 0;
  return {
    what: 'list of 75 during a gentle rebuild, p99 at 50/s',
    value: milliseconds(percentile(during.latencies, 0.99)),
    control: milliseconds(percentile(without.latencies, 0.99)),
    ...{ ratio, budget: '< 1.5x without', met: isVoid ? null : inBudget },
    note: `${perSecond(median(rates))} events rebuilt meanwhile, ${note}`,
  };
}
