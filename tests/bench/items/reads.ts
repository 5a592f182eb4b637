import type { Pool } from 'pg';
import { type Figure, type Item, milliseconds } from '../figure.ts';
import { type Reading, readings } from '../heavy-queries.ts';
import { openLoop, type Sent, soundness, together } from '../open-loop.ts';
import { inPairs } from '../pairs.ts';
import { database, prepared, product } from '../prepared.ts';
import { signIn } from '../signed-in.ts';
import { percentile, ratioOf } from '../statistics.ts';
import { countsTable } from '../tables.ts';

const PAIRS = 7;
const SECONDS = 7;

/** One answer per reading, of one round: all four at once, as a busy morning has them. */
type Round = readonly Sent[];

/** List, counts, search and schedule of a business with a hundred thousand jobs, against the bare SQL. */
export const reads: Item = {
  name: 'reads',
  about: 'list, counts, search and schedule of the heavy business against bare SQL',
  async measure(log): Promise<Figure[]> {
    const ute = await product('main');
    const bare = await database('main');
    try {
      const tradie = await signIn(ute.url, prepared('main'));
      const businessId = await heavyBusiness(bare.pool);
      const subject = mix((reading, index) => tradie.get(reading.path(index)));
      const control = mix((reading, index) =>
        Promise.all(reading.statements(index, businessId).map((statement) => bare.pool.query(statement))),
      );
      // Plans, caches and compiled code are as on any morning.
      await subject(-1);
      await control(-1);
      const pairs = await inPairs(PAIRS, subject, control);
      tradie.close();
      for (const [index, { name }] of readings.entries()) {
        log(`${name}: ${pairs.map((pair) => pair.map((round) => p99(round[index])).join(' : ')).join('  ')}`);
      }
      return readings.map((reading, index) =>
        figure(
          reading,
          pairs.map(([a, b]) => [pick(a, index), pick(b, index)]),
        ),
      );
    } finally {
      await bare.close();
      await ute.stop();
    }
  },
};

function mix(send: (reading: Reading, index: number) => Promise<unknown>) {
  return (round: number): Promise<Round> =>
    Promise.all(
      readings.map((reading, which) =>
        openLoop(
          { perSecond: reading.perSecond, seconds: round < 0 ? 3 : SECONDS, seed: round * 10 + which },
          (index) => send(reading, index),
        ),
      ),
    );
}

function figure({ name, perSecond, budget }: Reading, pairs: readonly (readonly [Sent, Sent])[]): Figure {
  const subject = together(pairs.map(([sent]) => sent));
  const control = together(pairs.map(([, sent]) => sent));
  const ratio = ratioOf(
    pairs.map(([a, b]) => [percentile(a.latencies, 0.99), percentile(b.latencies, 0.99)]),
  );
  const [ours, bare] = [percentile(subject.latencies, 0.99), percentile(control.latencies, 0.99)];
  const { isVoid, note } = soundness(together([subject, control]));
  return {
    what: `${name}, p99 at ${perSecond}/s`,
    value: `${milliseconds(ours)} (p50 ${milliseconds(percentile(subject.latencies, 0.5))})`,
    control: `${milliseconds(bare)} (p50 ${milliseconds(percentile(control.latencies, 0.5))})`,
    ratio,
    budget: `≤ ${budget} ms and ≤ 3x bare SQL`,
    met: isVoid ? null : ours <= budget && ratio.median <= 3,
    note,
  };
}

export async function heavyBusiness(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ business_id: string }>(
    `select business_id from ${countsTable} group by business_id order by sum(n) desc limit 1`,
  );
  return rows[0]?.business_id ?? '';
}

function pick(round: Round, index: number): Sent {
  return round[index] ?? { latencies: [], failed: 0, late: 0 };
}

function p99(sent: Sent | undefined): string {
  return percentile(sent?.latencies ?? [], 0.99).toFixed(1);
}
