import type { Pool } from 'pg';
import { type Figure, type Item, milliseconds } from '#tests/bench/figure.ts';
import { openLoop, type Sent, soundness, together } from '#tests/bench/open-loop.ts';
import { inPairs } from '#tests/bench/pairs.ts';
import { database, prepared, product, readOnce } from '#tests/bench/prepared.ts';
import { type SignedIn, signIn } from '#tests/bench/signed-in.ts';
import { percentile, ratioOf } from '#tests/bench/statistics.ts';
import { cardsTable } from '#tests/bench/tables.ts';
import { heavyBusiness } from './reads.ts';

const PAIRS = 7;
/** A disk on which the bare statements take longer at the 99th percentile, in milliseconds, says nothing of the product. */
const QUIET = 10;
const RATE = { perSecond: 100, seconds: 4 } as const;
/** Jobs whose statuses are changed, in turn. */
const JOBS = 1_500;

/** From the moment at which a tradie changes a job's status to the moment at which the read models show it. */
export const commandToVisible: Item = {
  name: 'command-to-visible',
  about: 'changing statuses at 100/s, until the read models and the open pages have it',
  async measure(log): Promise<Figure[]> {
    await readOnce('main');
    const ute = await product('main');
    const bare = await database('main');
    try {
      const tradie = await signIn(ute.url, prepared('main'));
      const jobs = await workingJobs(bare.pool);
      await bare.pool.query(scratch);
      const seen = await watch(ute.url, tradie.token);
      const change = () => changeStatuses(tradie, jobs, seen);
      // Plans, caches and compiled code are as on any morning.
      await change();
      await writeBare(bare.pool);
      const pairs = await inPairs(PAIRS, change, () => writeBare(bare.pool));
      seen.stop();
      tradie.close();
      log(pairs.map(([{ answered }, sent]) => `${p99(answered)} : ${p99(sent.answered)}`).join('  '));
      return figures(pairs);
    } finally {
      await bare.pool.query('drop schema if exists bench cascade');
      await bare.close();
      await ute.stop();
    }
  },
};

/** `answered` is what the API promises: its answer waits for the read models. `live` is what an open page is notified of. */
type Measured = Readonly<{ answered: Sent; live: readonly number[]; behind: number }>;

type Job = { job_id: string; status: string };

async function changeStatuses(tradie: SignedIn, jobs: readonly Job[], seen: Watcher): Promise<Measured> {
  let behind = 0;
  const starts = new Map<string, number>();
  const answered = await openLoop(RATE, async (index) => {
    const job = jobs[index % jobs.length];
    if (!job) throw new Error('the heavy business has no job to change');
    job.status = job.status === 'In progress' ? 'Quoted' : 'In progress';
    seen.at.delete(job.job_id);
    starts.set(job.job_id, performance.now());
    const { head } = await tradie.put(`/api/jobs/${job.job_id}`, { status: job.status });
    if (/x-read-model: behind/i.test(head)) behind += 1;
  });
  const live = [...starts].flatMap(([id, start]) => {
    const at = seen.at.get(id);
    return at === undefined ? [] : [at - start];
  });
  return { answered, live, behind };
}

type Watcher = Readonly<{ at: Map<string, number>; stop(): void }>;

/** When an open page was first notified of each job. */
async function watch(url: string, token: string): Promise<Watcher> {
  const at = new Map<string, number>();
  const stop = new AbortController();
  const response = await fetch(`${url}/api/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  const text = response.body?.pipeThrough(new TextDecoderStream());
  if (!text) throw new Error('no live stream');
  const reading = (async () => {
    for await (const chunk of text) {
      for (const [, id = ''] of chunk.matchAll(/"kind":"job","id":"([^"]+)"/g)) {
        if (!at.has(id)) at.set(id, performance.now());
      }
    }
  })();
  reading.catch(() => {});
  return { at, stop: () => stop.abort() };
}

/** Jobs of the heavy business whose status may be changed. */
export async function workingJobs(pool: Pool): Promise<Job[]> {
  const { rows } = await pool.query<Job>(
    `select job_id, status from ${cardsTable}
     where business_id = $1 and status not in ('Pending', 'Rejected', 'Unsuccessful') limit $2`,
    [await heavyBusiness(pool), JOBS],
  );
  return rows;
}

const scratch = `create schema if not exists bench;
  create table if not exists bench.events (pos bigint generated always as identity primary key, data jsonb);
  create table if not exists bench.cards (id int primary key, status text);
  insert into bench.cards select n, 'Pending' from generate_series(1, 1000) as n on conflict do nothing`;

/** The least that any design would do: an event and a row in one transaction, then a look at the row. */
async function writeBare(pool: Pool): Promise<Measured> {
  const answered = await openLoop(RATE, async (index) => {
    const client = await pool.connect();
    let isWhole = false;
    try {
      await client.query('begin');
      await client.query('insert into bench.events (data) values ($1)', [{ index, type: 'JobAccepted' }]);
      await client.query('update bench.cards set status = $1 where id = $2', [
        'To quote',
        1 + (index % 1_000),
      ]);
      await client.query('commit');
      await client.query('select status from bench.cards where id = $1', [1 + (index % 1_000)]);
      isWhole = true;
    } finally {
      client.release(!isWhole);
    }
  });
  return { answered, live: [], behind: 0 };
}

function figures(pairs: readonly (readonly [Measured, Measured])[]): Figure[] {
  const ours = together(pairs.map(([{ answered }]) => answered));
  const bare = together(pairs.map(([, { answered }]) => answered));
  const live = pairs.flatMap(([measured]) => measured.live);
  const behind = pairs.reduce((sum, [measured]) => sum + measured.behind, 0);
  const ratio = ratioOf(
    pairs.map(([a, b]) => [percentile(a.answered.latencies, 0.99), percentile(b.answered.latencies, 0.99)]),
  );
  const { isVoid, note } = soundness(together([ours, bare]));
  const quiet = pairs.filter(([, { answered }]) => percentile(answered.latencies, 0.99) < QUIET);
  const there = together(quiet.map(([{ answered }]) => answered)).latencies;
  const [slow, middle] = [percentile(there, 0.99), percentile(there, 0.5)];
  const inBudget = slow <= 30 && middle <= 7 && behind === 0;
  const both = (values: readonly number[]) =>
    `${milliseconds(percentile(values, 0.99))} (p50 ${milliseconds(percentile(values, 0.5))})`;
  return [
    {
      ...{
        what: 'command to visible, p99 at 100/s',
        value: both(ours.latencies),
        control: both(bare.latencies),
      },
      ratio,
      budget: `≤ 30 ms, p50 ≤ 7 ms where the control has < ${QUIET} ms`,
      met: isVoid || quiet.length === 0 ? null : inBudget,
      note: `${note}, ${behind} answered before the read models had it; ${quiet.length} quiet rounds: ${both(there)}`,
    },
    {
      what: 'command to an open page, p99 at 100/s',
      ...{ value: both(live), budget: '', met: null },
      note: `${live.length} of ${ours.latencies.length} notified`,
    },
  ];
}

function p99(sent: Sent): string {
  return percentile(sent.latencies, 0.99).toFixed(1);
}
