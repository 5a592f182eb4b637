import { type Figure, type Item, milliseconds, perSecond } from '#tests/bench/figure.ts';
import { openLoop, type Sent, soundness } from '#tests/bench/open-loop.ts';
import { database, prepared, product, readOnce } from '#tests/bench/prepared.ts';
import { signIn } from '#tests/bench/signed-in.ts';
import { median, percentile } from '#tests/bench/statistics.ts';
import { workingJobs } from './command-to-visible.ts';

const CLIMBS = 3;
const SECONDS = 5;
const [FIRST, STEP, LAST] = [100, 25, 600];
/** What one command may take at the 99th percentile, in milliseconds. */
const LONGEST = 100;

/** How many changes of status a second the product answers in time, while it keeps the read models. */
export const mostCommands: Item = {
  name: 'most-commands',
  about: `the most changes of status a second with a p99 of at most ${LONGEST} ms`,
  async measure(log): Promise<Figure[]> {
    await readOnce('main');
    const ute = await product('main');
    const bare = await database('main', 1);
    try {
      const tradie = await signIn(ute.url, prepared('main'));
      const jobs = await workingJobs(bare.pool);
      let turn = 0;
      const change = () => {
        const job = jobs[turn++ % jobs.length];
        if (!job) throw new Error('the heavy business has no job to change');
        job.status = job.status === 'In progress' ? 'Quoted' : 'In progress';
        return tradie.put(`/api/jobs/${job.job_id}`, { status: job.status });
      };
      const send = (rate: number) => openLoop({ perSecond: rate, seconds: SECONDS, seed: rate }, change);
      await send(FIRST);
      const climbs: Climb[] = [];
      for (let n = 0; n < CLIMBS; n += 1) {
        const climb = await climbTo(send);
        log(climb.steps.join('  '));
        climbs.push(climb);
      }
      tradie.close();
      return [figure(climbs)];
    } finally {
      await bare.close();
      await ute.stop();
    }
  },
};

/** The highest rate that was sent without one below it that took too long. */
type Climb = Readonly<{ most: number; steps: readonly string[]; isVoid: boolean }>;

async function climbTo(send: (rate: number) => Promise<Sent>): Promise<Climb> {
  const steps: string[] = [];
  for (let [rate, most] = [FIRST, 0]; ; rate += STEP) {
    const sent = await send(rate);
    const slow = percentile(sent.latencies, 0.99);
    const { isVoid } = soundness(sent);
    steps.push(`${rate}/s ${milliseconds(slow)}${isVoid ? ' VOID' : ''}`);
    if (slow > LONGEST || sent.failed > 0 || rate >= LAST) return { most, steps, isVoid };
    most = rate;
  }
}

function figure(climbs: readonly Climb[]): Figure {
  const rates = climbs.map(({ most }) => most);
  const most = median(rates);
  return {
    what: `most commands with p99 ≤ ${LONGEST} ms`,
    value: `${perSecond(most)} (${Math.min(...rates)} to ${Math.max(...rates)}, ${CLIMBS} climbs)`,
    budget: '≥ 250/s',
    met: most >= 250,
    note: climbs.map(({ steps }) => steps.at(-1)).join('; '),
  };
}
