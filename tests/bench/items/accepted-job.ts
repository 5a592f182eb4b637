import type { Pool } from 'pg';
import { closedLoop } from '#tests/bench/closed-loop.ts';
import { type Figure, type Item, milliseconds } from '#tests/bench/figure.ts';
import { createHttpClient } from '#tests/bench/http-client.ts';
import { database, prepared, product } from '#tests/bench/prepared.ts';
import { postmasterOf, processorSecondsOfAll } from '#tests/bench/processes.ts';
import { signIn } from '#tests/bench/signed-in.ts';
import { median } from '#tests/bench/statistics.ts';
import { cardsTable } from '#tests/bench/tables.ts';
import { heavyBusiness } from './reads.ts';

const ROUNDS = 5;
const ROUND = { clients: 2, seconds: 6 } as const;
/** How long the idle installation is watched before each round, in seconds: what it uses by itself is taken off. */
const IDLE = 5;

/** What a customer's request costs the machine until it is accepted and every message about it has gone out. */
export const acceptedJob: Item = {
  name: 'accepted-job',
  about: 'processor time of a request by the public form and its acceptance: API, worker and Postgres',
  async measure(log): Promise<Figure[]> {
    const ute = await product('small');
    const bare = await database('small', 2);
    try {
      const { slug } = prepared('small');
      const tradie = await signIn(ute.url, prepared('small'));
      const customer = createHttpClient(ute.url);
      const businessId = await heavyBusiness(bare.pool);
      const postmaster = await postmasterOf(bare.pool);
      const used = () => ({
        ours: processorSecondsOfAll(ute.child.pid ?? 0, postmaster),
        postgres: processorSecondsOfAll(postmaster),
      });
      const measured: Cost[] = [];
      for (let round = -1; round < ROUNDS; round += 1) {
        const idle = await over(used, () => Bun.sleep(IDLE * 1_000));
        const began = await databaseTime(bare.pool);
        let sent = 0;
        const busy = await over(used, async () => {
          await closedLoop(ROUND, async () => {
            sent += 1;
            await sendRequest(customer, slug);
          });
          await closedAccepts(bare.pool, businessId, began, tradie.put);
          await untilSent(bare.pool);
        });
        const cost = (part: 'ours' | 'postgres') =>
          (busy[part] - (idle[part] / idle.seconds) * busy.seconds) / sent;
        const one = { ours: cost('ours'), postgres: cost('postgres'), jobs: sent };
        log(
          `${sent} jobs: ${milliseconds(one.ours * 1_000)} and ${milliseconds(one.postgres * 1_000)} of Postgres`,
        );
        // Compiled code and plans are as on any morning from the second round on.
        if (round >= 0) measured.push(one);
      }
      customer.close();
      tradie.close();
      return figures(measured);
    } finally {
      await bare.close();
      await ute.stop();
    }
  },
};

/** Seconds of processor of one job. */
type Cost = Readonly<{ ours: number; postgres: number; jobs: number }>;
type Used = Readonly<{ ours: number; postgres: number }>;

async function over(used: () => Used, work: () => Promise<unknown>): Promise<Used & { seconds: number }> {
  const [start, before] = [performance.now(), used()];
  await work();
  const after = used();
  return {
    ...{ ours: after.ours - before.ours, postgres: after.postgres - before.postgres },
    seconds: (performance.now() - start) / 1_000,
  };
}

/** Each by another customer: the same again is answered with the first. As a browser without JavaScript sends it: the proof of work of the page would fall on the machine that is measured. */
export async function sendRequest(client: ReturnType<typeof createHttpClient>, slug: string): Promise<void> {
  const id = crypto.randomUUID();
  const fields = {
    ...{ name: 'Aroha Tāwhiri', email: `${id}@example.com`, website: '' },
    phone: `04${10_000_000 + Math.floor(Math.random() * 89_999_999)}`,
    ...{ address: '22/140 Lygon St, Brunswick East VIC 3057', title: `Leaking shower ${id}` },
    description: 'The hot tap will not close.',
  };
  const headers = {
    ...{ 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    accept: 'text/html',
  };
  const { status } = await client.request(
    'POST',
    `/t/${slug}`,
    headers,
    new URLSearchParams(fields).toString(),
  );
  if (status !== 303 && status !== 200) throw new Error(`the form answered ${status}`);
}

/** Accepts all that came since, by two clients. */
async function closedAccepts(
  pool: Pool,
  businessId: string,
  since: Date,
  put: (path: string, body: object) => Promise<unknown>,
): Promise<void> {
  const { rows } = await pool.query<{ job_id: string }>(
    `select job_id from ${cardsTable} where business_id = $1 and status = 'Pending' and created_at >= $2`,
    [businessId, since],
  );
  const next = async () => {
    for (let job = rows.pop(); job; job = rows.pop()) await put(`/api/jobs/${job.job_id}/accept`, {});
  };
  await Promise.all([next(), next()]);
}

async function untilSent(pool: Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ waiting: boolean }>(
      `select exists (select from state.outbox where delivery_status = 'waiting' and due_at <= now()) as waiting`,
    );
    if (!rows[0]?.waiting) return;
    await Bun.sleep(100);
  }
}

async function databaseTime(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select now() as now');
  return rows[0]?.now ?? new Date();
}

function figures(measured: readonly Cost[]): Figure[] {
  const parts = [
    ['in all', ({ ours, postgres }: Cost) => ours + postgres],
    ['API and worker', ({ ours }: Cost) => ours],
    ['Postgres', ({ postgres }: Cost) => postgres],
  ] as const;
  return parts.map(([part, of]) => {
    const costs = measured.map((cost) => of(cost) * 1_000);
    const range = `${milliseconds(Math.min(...costs))} to ${milliseconds(Math.max(...costs))}`;
    return {
      what: `processor time of an accepted job, ${part}`,
      value: `${milliseconds(median(costs))} (${range})`,
      ...{ budget: '', met: null },
      note: `${measured.reduce((sum, { jobs }) => sum + jobs, 0)} jobs`,
    };
  });
}
