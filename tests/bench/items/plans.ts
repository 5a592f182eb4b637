import type { Pool } from 'pg';
import { listViews, statusesOf } from '#core/job/status/statuses.ts';
import type { Statement } from '#core/postgres/statement.ts';
import { countJobs, listJobCards } from '#projections/jobs/list.ts';
import { getSchedule } from '#projections/jobs/schedule.ts';
import type { Figure, Item } from '#tests/bench/figure.ts';
import { type Ask, sentFor } from '#tests/bench/heavy-queries.ts';
import { database, prepared, sizes } from '#tests/bench/prepared.ts';
import { countsTable } from '#tests/bench/tables.ts';
import { type UsedPlan, usedPlan } from '#tests/bench/used-plan.ts';
import { heavyBusiness } from './reads.ts';

/** A walk over all jobs. */
const SCAN = /Seq Scan on jobs/;

/** What the pages of a busy tradie ask of the database. */
const asked: readonly (readonly [name: string, ask: Ask])[] = [
  ['list of all, first page', (db, whose) => listJobCards(db, whose)],
  ['list of all, page 100', (db, whose) => listJobCards(db, { ...whose, page: 100 })],
  [
    'list of new',
    (db, whose) => listJobCards(db, { ...whose, ...listViews.new, statuses: statusesOf('new') }),
  ],
  [
    'list in progress',
    (db, whose) =>
      listJobCards(db, { ...whose, ...listViews['in-progress'], statuses: statusesOf('in-progress') }),
  ],
  [
    'list of a status that is rare',
    (db, whose) => listJobCards(db, { ...whose, statuses: ['Unsuccessful'] }),
  ],
  ['search', (db, whose) => listJobCards(db, { ...whose, search: 'van der Berg' })],
  ['counts', (db, whose) => countJobs(db, whose)],
  ['schedule', (db, whose) => getSchedule(db, whose)],
  ['dashboard', (db, whose) => getSchedule(db, { ...whose, ahead: 90, limit: 75 })],
];

/** How Postgres finds the rows of a heavy and a light business: every statement that the readers send, explained as it runs. */
export const plans: Item = {
  name: 'plans',
  about:
    'the plans behind list, counts, search and schedule of a heavy and a light business, as they are really used',
  async measure(log): Promise<Figure[]> {
    const { pool, close } = await database('main', 4);
    try {
      const [heavy, light] = [await heavyBusiness(pool), await lightBusiness(pool)];
      // Of a few rows Postgres rightly reads them all.
      const isWhole = prepared('main').heavy >= sizes.main.heavy;
      const figures: Figure[] = [];
      for (const [name, ask] of asked) {
        const [ofHeavy, ofLight] = [await sentFor(pool, ask, heavy), await sentFor(pool, ask, light)];
        // A connection has served others before: the plan that it keeps was made for them.
        const heavyPlans = await plansOf(pool, ofHeavy, ofLight);
        const lightPlans = await plansOf(pool, ofLight, ofHeavy);
        for (const { lines } of heavyPlans) log(`${name}\n    ${lines.join('\n    ')}`);
        for (const { lines } of lightPlans) log(`${name}, of ten jobs\n    ${lines.join('\n    ')}`);
        figures.push(
          figureOf(name, heavyPlans, isWhole),
          figureOf(`${name}, of ten jobs`, lightPlans, false),
        );
      }
      return figures;
    } finally {
      await close();
    }
  },
};

/** The business that has the number of jobs nearest to ten. */
async function lightBusiness(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ business_id: string }>(
    `select business_id from ${countsTable} group by business_id order by abs(sum(n) - 10), business_id limit 1`,
  );
  return rows[0]?.business_id ?? '';
}

function plansOf(
  pool: Pool,
  statements: readonly Statement[],
  before: readonly Statement[],
): Promise<UsedPlan[]> {
  return Promise.all(statements.map((statement, n) => usedPlan(pool, statement, before[n] ?? statement)));
}

function figureOf(name: string, found: readonly UsedPlan[], isWhole: boolean): Figure {
  const lines = found.flatMap((plan) => plan.lines);
  const used = lines.flatMap(
    (line) => / using (\w+)/.exec(line)?.[1] ?? / on (\w+_idx\w*)/.exec(line)?.[1] ?? [],
  );
  const isScanned = lines.some((line) => SCAN.test(line));
  const generic = found.filter((plan) => plan.generic).length;
  const kept = generic === 0 ? '' : `${generic} of ${found.length} by one plan for all values; `;
  return {
    what: `${name}, in the database`,
    value: `${found.reduce((sum, plan) => sum + plan.milliseconds, 0).toFixed(1)} ms`,
    budget: 'no sequential scan',
    met: isWhole ? !isScanned : null,
    note: kept + [...new Set(used)].join(', '),
  };
}
