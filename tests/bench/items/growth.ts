import type { Pool } from 'pg';
import { type Figure, type Item, milliseconds } from '#tests/bench/figure.ts';
import { inRound, type Reading, readings } from '#tests/bench/heavy-queries.ts';
import { openLoop, type Sent, soundness, together } from '#tests/bench/open-loop.ts';
import { database, type Installation, prepared, product, readOnce } from '#tests/bench/prepared.ts';
import { type SignedIn, signIn } from '#tests/bench/signed-in.ts';
import { percentile, type Ratio, ratioOf } from '#tests/bench/statistics.ts';
import { rebuiltTables } from '#tests/bench/tables.ts';

const ROUNDS = 7;
const SECONDS = 4;
const STEPS: readonly Installation[] = ['least', 'small', 'main'];
/** The readings whose latency may not grow with the installation. */
const FLAT = ['list of 75', 'counts'];

/** The same requests on installations of 10,000, 100,000 and 1.1 million jobs, in turns, and what a job takes on the disk. */
export const growth: Item = {
  name: 'growth',
  about: 'list, counts, search and schedule at 10,000, 100,000 and 1.1 million jobs, and bytes a job',
  async measure(log): Promise<Figure[]> {
    await using opened = new AsyncDisposableStack();
    const steps: Step[] = [];
    for (const installation of STEPS) {
      await readOnce(installation);
      const ute = await product(installation);
      opened.defer(() => ute.stop());
      const tradie = await signIn(ute.url, prepared(installation));
      opened.defer(async () => tradie.close());
      steps.push({ installation, tradie, jobs: prepared(installation).jobs + prepared(installation).heavy });
    }
    const figures: Figure[] = [];
    for (const reading of readings) {
      const rounds = await inTurns(steps, reading);
      log(
        `${reading.name}, p50: ${rounds.map((sent) => sent.map((one) => p50(one).toFixed(1)).join(' : ')).join('  ')}`,
      );
      figures.push(...growthOf(reading, steps, rounds));
    }
    for (const { installation, jobs } of steps) figures.push(...(await diskOf(installation, jobs)));
    return figures;
  },
};

type Step = Readonly<{ installation: Installation; tradie: SignedIn; jobs: number }>;

/** Each round asks every installation once; the order turns around from round to round. */
async function inTurns(steps: readonly Step[], reading: Reading): Promise<Sent[][]> {
  const send = ({ tradie }: Step, round: number) =>
    openLoop({ perSecond: reading.perSecond, seconds: SECONDS, seed: round }, (index) =>
      tradie.get(inRound(reading.asked, index).path),
    );
  for (const step of steps) await send(step, -1);
  const rounds: Sent[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sent = new Map<Step, Sent>();
    for (const step of round % 2 === 0 ? steps : steps.toReversed()) sent.set(step, await send(step, round));
    rounds.push(steps.map((step) => sent.get(step) ?? { latencies: [], failed: 0, late: 0 }));
  }
  return rounds;
}

function growthOf(
  { name, perSecond }: Reading,
  steps: readonly Step[],
  rounds: readonly (readonly Sent[])[],
): Figure[] {
  const all = (which: number) => together(rounds.flatMap((sent) => sent[which] ?? []));
  const values = steps.map(({ jobs }, which) => {
    const { latencies } = all(which);
    return `${jobs.toLocaleString('en')}: ${milliseconds(percentile(latencies, 0.5))}, ${milliseconds(percentile(latencies, 0.99))}`;
  });
  const ratio: Ratio = ratioOf(rounds.map((sent) => [p50(sent.at(-1)), p50(sent.at(0))]));
  const { isVoid, note } = soundness(together(steps.map((_, which) => all(which))));
  const isFlat = FLAT.includes(name);
  return [
    {
      what: `${name} at ${perSecond}/s, growth of the p50 (p50, p99 by jobs)`,
      ...{ value: values.join('; '), ratio },
      budget: isFlat ? '< 1.5x from first to last' : '',
      met: isFlat && !isVoid ? ratio.median < 1.5 : null,
      note,
    },
  ];
}

async function diskOf(installation: Installation, jobs: number): Promise<Figure[]> {
  const open = await database(installation, 1);
  try {
    const log = await bytesOf(open.pool, "schemaname = 'event_store'");
    const names = rebuiltTables.map((table) => table.replaceAll('"', '').split('.').at(-1));
    const read = await bytesOf(open.pool, 'tablename = any($1)', [names]);
    const each = (bytes: number) => `${Math.round(bytes / jobs).toLocaleString('en')} B`;
    return [
      {
        what: `bytes on disk of a job at ${jobs.toLocaleString('en')} jobs`,
        value: `log ${each(log)}, read models ${each(read)}`,
        ...{ budget: '', met: null, note: 'indexes included' },
      },
    ];
  } finally {
    await open.close();
  }
}

async function bytesOf(pool: Pool, where: string, values: unknown[] = []): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    `select coalesce(sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)), 0) as bytes
     from pg_tables where ${where}`,
    values,
  );
  return Number(rows[0]?.bytes);
}

function p50(sent: Sent | undefined): number {
  return percentile(sent?.latencies ?? [], 0.5);
}
