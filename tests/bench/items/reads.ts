import type { Pool } from 'pg';
import type { Statement } from '#core/postgres/statement.ts';
import { type Figure, type Item, milliseconds } from '#tests/bench/figure.ts';
import { inRound, type Reading, readings, sentFor } from '#tests/bench/heavy-queries.ts';
import { openLoop, type Sent, soundness, together } from '#tests/bench/open-loop.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { database, prepared, product, readOnce } from '#tests/bench/prepared.ts';
import { signIn } from '#tests/bench/signed-in.ts';
import { percentile, ratioOf } from '#tests/bench/statistics.ts';
import { countsTable } from '#tests/bench/tables.ts';

const PAIRS = 7;
const SECONDS = 7;
/** Before the first pair: plans, caches and compiled code are as on any morning. */
const WARM_UP = 3;

/** What was sent of each of the readings, in their order. */
type Round = readonly Sent[];
type Send = (reading: Reading, index: number) => Promise<unknown>;
type Pairs = readonly (readonly [subject: Sent, control: Sent])[];

/** List, counts, search and schedule of a business with a hundred thousand jobs, against the statements that they send. */
export const reads: Item = {
  name: 'reads',
  about:
    'list, counts, search and schedule of the heavy business against the same SQL prepared, each alone and all at once',
  async measure(log): Promise<Figure[]> {
    await readOnce('main');
    const ute = await product('main');
    const bare = await database('main');
    try {
      const tradie = await signIn(ute.url, prepared('main'));
      const businessId = await heavyBusiness(bare.pool);
      const subject: Send = (reading, index) => tradie.get(inRound(reading.asked, index).path);
      const statements = new Map<Reading, Statement[][]>();
      for (const reading of readings) {
        const sent = reading.asked.map(({ ask }) => sentFor(bare.pool, ask, businessId));
        statements.set(reading, await Promise.all(sent));
      }
      const control: Send = (reading, index) =>
        Promise.all(inRound(statements.get(reading) ?? [], index).map((one) => bare.pool.query(one)));
      const figures: Figure[] = [];
      for (const reading of readings) {
        const [pairs] = await compare([reading], subject, control);
        log(`${reading.name}, p99: ${pairs?.map((pair) => pair.map(p99).join(' : ')).join('  ')}`);
        figures.push(...alone(reading, pairs ?? []));
      }
      const atOnce = await compare(readings, subject, control);
      tradie.close();
      return [...figures, ...readings.map((reading, index) => besideOthers(reading, atOnce[index] ?? []))];
    } finally {
      await bare.close();
      await ute.stop();
    }
  },
};

/** Sends all of `chosen` at once, each at its own rate; answers the pairs of each. */
async function compare(chosen: readonly Reading[], subject: Send, control: Send): Promise<Pairs[]> {
  const by = (send: Send) => (round: number) => sendAll(chosen, send, round);
  await by(subject)(-1);
  await by(control)(-1);
  const pairs = await inPairs(PAIRS, by(subject), by(control));
  return chosen.map((_, index) => pairs.map(([a, b]) => [pick(a, index), pick(b, index)]));
}

function sendAll(chosen: readonly Reading[], send: Send, round: number): Promise<Round> {
  return Promise.all(
    chosen.map((reading, which) =>
      openLoop(
        {
          ...{ perSecond: reading.perSecond, seconds: round < 0 ? WARM_UP : SECONDS },
          seed: round * 10 + which,
        },
        (index) => send(reading, index),
      ),
    ),
  );
}

function alone({ name, perSecond, budget }: Reading, pairs: Pairs): Figure[] {
  const [slow, middle] = [compared(pairs, 0.99), compared(pairs, 0.5)];
  const { isVoid, note } = soundness(together(pairs.flat()));
  return [
    {
      what: `${name}, p99 at ${perSecond}/s`,
      ...{ value: milliseconds(slow.ours), control: milliseconds(slow.bare), ratio: slow.ratio },
      budget: `≤ ${budget} ms and ≤ 2.5x its SQL`,
      met: isVoid ? null : slow.ours <= budget && slow.ratio.median <= 2.5,
      note,
    },
    {
      what: `${name}, p50 at ${perSecond}/s`,
      ...{ value: milliseconds(middle.ours), control: milliseconds(middle.bare), ratio: middle.ratio },
      ...{ budget: '≤ 2x its SQL', met: isVoid ? null : middle.ratio.median <= 2 },
    },
  ];
}

function besideOthers({ name, perSecond }: Reading, pairs: Pairs): Figure {
  const [slow, middle] = [compared(pairs, 0.99), compared(pairs, 0.5)];
  const { isVoid, note } = soundness(together(pairs.flat()));
  return {
    what: `${name} at ${perSecond}/s, all four at once, p99`,
    value: `${milliseconds(slow.ours)} (p50 ${milliseconds(middle.ours)})`,
    control: `${milliseconds(slow.bare)} (p50 ${milliseconds(middle.bare)})`,
    ...{ ratio: slow.ratio, budget: '≤ 3x its SQL', met: isVoid ? null : slow.ratio.median <= 3 },
    note,
  };
}

/** A percentile of all that were sent, and its ratio within each pair. */
function compared(pairs: Pairs, share: number) {
  return {
    ours: percentile(together(pairs.map(([sent]) => sent)).latencies, share),
    bare: percentile(together(pairs.map(([, sent]) => sent)).latencies, share),
    ratio: ratioOf(pairs.map(([a, b]) => [percentile(a.latencies, share), percentile(b.latencies, share)])),
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

function p99(sent: Sent): string {
  return percentile(sent.latencies, 0.99).toFixed(1);
}
