import { type Figure, type Item, milliseconds } from '#tests/bench/figure.ts';
import { openLoop, type Sent, soundness, together } from '#tests/bench/open-loop.ts';
import { database, prepared, product, readOnce } from '#tests/bench/prepared.ts';
import { signIn } from '#tests/bench/signed-in.ts';
import { percentile } from '#tests/bench/statistics.ts';

const ROUNDS = 5;
const SECONDS = 6;
/** p99 in milliseconds, for a business with a hundred thousand jobs. */
const BUDGET = 150;

/** What the page of the board asks for a moment. */
const asked = [
  ['counts', (at: string) => `/api/jobs/count?at=${at}`],
  ['page of 75', (at: string) => `/api/jobs?at=${at}`],
  ['page by time', (at: string) => `/api/jobs?at=${at}&sort=scheduledAt&dir=asc`],
] as const;

/** The board of the heavy business as it stood, at moments all over the log. */
export const board: Item = {
  name: 'board',
  about: 'counts and pages of the heavy business as they stood at moments all over the log',
  async measure(log): Promise<Figure[]> {
    await readOnce('main');
    const ute = await product('main');
    try {
      const moments = await momentsOfLog();
      const tradie = await signIn(ute.url, prepared('main'));
      const figures: Figure[] = [];
      for (const [name, pathAt] of asked) {
        const rounds: Sent[] = [];
        for (let round = -1; round < ROUNDS; round += 1) {
          const sent = await openLoop({ perSecond: 10, seconds: SECONDS, seed: round }, (index) =>
            tradie.get(pathAt(moments[(index * 7 + round + 1) % moments.length] ?? '')),
          );
          if (round >= 0) rounds.push(sent);
        }
        const all = together(rounds);
        const [p50, p99] = [percentile(all.latencies, 0.5), percentile(all.latencies, 0.99)];
        log(`${name}: ${milliseconds(p50)}, ${milliseconds(p99)}`);
        const { isVoid, note } = soundness(all);
        figures.push({
          what: `${name} as it stood, p99 at 10/s`,
          value: `${milliseconds(p99)} (p50 ${milliseconds(p50)})`,
          ...{ budget: `≤ ${BUDGET} ms`, met: isVoid ? null : p99 <= BUDGET, note },
        });
      }
      tradie.close();
      return figures;
    } finally {
      await ute.stop();
    }
  },
};

/** Some forty moments, at even distances in the log. */
async function momentsOfLog(): Promise<string[]> {
  const { pool, close } = await database('main', 1);
  try {
    const { rows } = await pool.query<{ at: Date }>('select at from proof.marks order by n');
    const step = Math.max(1, Math.floor(rows.length / 40));
    return rows
      .filter((_, index) => index % step === 0)
      .map(({ at }) => encodeURIComponent(at.toISOString()));
  } finally {
    await close();
  }
}
