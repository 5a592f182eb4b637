import type { Pool } from 'pg';
import { listViews, statusesOf } from '#core/job/lists.ts';
import { countJobs, listJobCards } from '#projections/jobs/list.ts';
import { getSchedule } from '#projections/jobs/schedule.ts';
import type { Figure, Item } from '../figure.ts';
import { database, prepared, sizes } from '../prepared.ts';
import { heavyBusiness } from './reads.ts';

type Whose = Readonly<{ businessId: string; timeZone: string; now: Date }>;
type Sent = Readonly<{ text: string; values: unknown[] }>;

/** What the pages of a busy tradie ask of the database. */
const asked: readonly (readonly [name: string, ask: (db: Pool, whose: Whose) => Promise<unknown>])[] = [
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
  ['search', (db, whose) => listJobCards(db, { ...whose, search: 'van der Berg' })],
  ['counts', (db, whose) => countJobs(db, whose)],
  ['schedule', (db, whose) => getSchedule(db, whose)],
  ['dashboard', (db, whose) => getSchedule(db, { ...whose, ahead: 90, limit: 75 })],
];

/** Days and texts of a condition are of little interest. */
const longestLine = 160;

/** How Postgres finds the rows of the heavy business: every statement that the readers send, explained. */
export const plans: Item = {
  name: 'plans',
  about: 'the plans behind list, counts, search and schedule of the heavy business',
  async measure(log): Promise<Figure[]> {
    const { pool, close } = await database('main', 4);
    try {
      const whose = {
        businessId: await heavyBusiness(pool),
        timeZone: 'Australia/Melbourne',
        now: new Date(),
      };
      // Of a few rows Postgres rightly reads them all.
      const isWhole = prepared('main').heavy >= sizes.main.heavy;
      const figures: Figure[] = [];
      for (const [name, ask] of asked) {
        const sent: Sent[] = [];
        await ask(recording(pool, sent), whose);
        const found = await Promise.all(sent.map((statement) => explain(pool, statement)));
        for (const plan of found) log(`${name}\n    ${plan.join('\n    ')}`);
        figures.push(figureOf(name, found.flat(), isWhole));
      }
      return figures;
    } finally {
      await close();
    }
  },
};

/** A database that also notes what it is asked. */
function recording(pool: Pool, sent: Sent[]): Pool {
  const query = (text: string, values: unknown[]) => {
    sent.push({ text, values });
    return pool.query(text, values);
  };
  return { query } as unknown as Pool;
}

async function explain(pool: Pool, { text, values }: Sent): Promise<string[]> {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off, timing off) ${text}`,
    values,
  );
  return rows.map((row) => row['QUERY PLAN'].slice(0, longestLine));
}

function figureOf(name: string, lines: readonly string[], isWhole: boolean): Figure {
  const times = lines.flatMap((line) => /^Execution Time: ([\d.]+) ms/.exec(line)?.[1] ?? []);
  const used = lines.flatMap(
    (line) => / using (\w+)/.exec(line)?.[1] ?? / on (\w+_idx\w*)/.exec(line)?.[1] ?? [],
  );
  const isScanned = lines.some((line) => /Seq Scan on jobs/.test(line));
  return {
    what: `${name}, in the database`,
    value: `${times.reduce((sum, time) => sum + Number(time), 0).toFixed(1)} ms`,
    budget: 'no sequential scan',
    met: isWhole ? !isScanned : null,
    note: [...new Set(used)].join(', '),
  };
}
