import type { Pool } from 'pg';
import type { Figure, Item, Log } from '#tests/bench/figure.ts';
import { createHttpClient } from '#tests/bench/http-client.ts';
import { database, prepared, product } from '#tests/bench/prepared.ts';
import { signIn } from '#tests/bench/signed-in.ts';
import { sendRequest } from './accepted-job.ts';

/** Of each trickle, in seconds, and how long apart its writes are, in milliseconds. */
const LONG = 180;
const APART = 700;
const BUDGET = 90;

/** How long an event is in no checkpoint, at the product's own settings. */
export const checkpointLag: Item = {
  name: 'checkpoint-lag',
  about: 'from an event to the checkpoint that has it, under a trickle of writes: six minutes',
  async measure(log): Promise<Figure[]> {
    const ute = await product('small');
    const bare = await database('small', 2);
    try {
      const tradie = await signIn(ute.url, prepared('small'));
      const customer = createHttpClient(ute.url);
      const jobs = await acceptedJobs(ute.url, tradie.token);
      const notes = (n: number) =>
        tradie.put(`/api/jobs/${jobs[n % jobs.length]}`, { notes: `Note ${n} of ${Date.now()}` });
      const figures = [
        await trickle(bare.pool, log, 'notes of a tradie, for which nothing asks for a checkpoint', notes),
        await trickle(bare.pool, log, 'requests by the public form, whose receipts ask for one', () =>
          sendRequest(customer, prepared('small').slug),
        ),
      ];
      customer.close();
      tradie.close();
      return figures;
    } finally {
      await bare.close();
      await ute.stop();
    }
  },
};

/** The ids of some jobs of who is signed in, of which notes can be written. */
async function acceptedJobs(url: string, token: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/jobs?limit=75`, { headers: { authorization: `Bearer ${token}` } });
  const { jobs } = (await answer.json()) as { jobs: { id: string; status: string }[] };
  return jobs.flatMap(({ id, status }) => (['Pending', 'Rejected'].includes(status) ? [] : [id]));
}

async function trickle(
  pool: Pool,
  log: Log,
  what: string,
  write: (n: number) => Promise<unknown>,
): Promise<Figure> {
  const first = (await headOf(pool)) + 1;
  const until = performance.now() + LONG * 1_000;
  for (let n = 0; performance.now() < until; n += 1) {
    await write(n);
    await Bun.sleep(APART);
  }
  const last = await headOf(pool);
  for (let waited = 0; waited < 2 * BUDGET && !(await isSigned(pool, last)); waited += 1)
    await Bun.sleep(1_000);
  const { rows } = await pool.query<{ events: number; longest: number | null; middle: number | null }>(
    `select count(*)::int as events, max(lag)::float8 as longest,
       percentile_cont(0.5) within group (order by lag)::float8 as middle
     from (select extract(epoch from (select made_at from proof.checkpoints where size >= pos order by size limit 1) - at) as lag
       from event_store.events where pos between $1 and $2) each`,
    [first, last],
  );
  const { events = 0, longest = null, middle = null } = rows[0] ?? {};
  if (longest === null || !(await isSigned(pool, last)))
    throw new Error('the last events are in no checkpoint');
  const value = `${longest.toFixed(1)} s at most (p50 ${middle?.toFixed(1)} s)`;
  log(`${what}: ${value}, ${events} events`);
  return {
    what: `from an event to its checkpoint: ${what}`,
    ...{ value, budget: `≤ ${BUDGET} s`, met: longest <= BUDGET },
    note: `${events} events in ${LONG} s`,
  };
}

/** The position of the newest event, from 1: of the log of an installation they have no gaps. */
async function headOf(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ head: number }>(
    'select max(pos)::float8 as head from event_store.events',
  );
  return rows[0]?.head ?? 0;
}

async function isSigned(pool: Pool, position: number): Promise<boolean> {
  const { rows } = await pool.query<{ isSigned: boolean }>(
    'select coalesce(max(size), 0) >= $1 as "isSigned" from proof.checkpoints',
    [position],
  );
  return rows[0]?.isSigned ?? false;
}
