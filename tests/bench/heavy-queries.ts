import type { Pool } from 'pg';
import { listViews, statusesOf } from '#core/job/status/statuses.ts';
import type { Statement } from '#core/postgres/statement.ts';
import { countJobs, listJobCards } from '#projections/jobs/list.ts';
import { getSchedule } from '#projections/jobs/schedule.ts';

/** Whose jobs are read, and when. */
export type Whose = Readonly<{ businessId: string; timeZone: string; now: Date }>;

/** A question to the read models, as the product asks it. */
export type Ask = (db: Pool, whose: Whose) => Promise<unknown>;

/** A way of reading the heavy business: what the product is asked in each round, and what it then asks of the database. */
export type Reading = Readonly<{
  name: string;
  perSecond: number;
  /** p99 in milliseconds. */
  budget: number;
  asked: readonly Readonly<{ path: string; ask: Ask }>[];
}>;

/** What people type: surnames common and rare, half a phone number, a title, a street, something that is not there. */
const searches = [
  ...['Ngata', 'Rēweti', 'van der Berg', 'Sullivan', 'cameron rd', 'kitchen', 'palmerston', 'urgent quote'],
  ...['025 22', '025 717', '@example.org', 'hōne', 'gladstone', 'zebra crossing'],
];

export const readings: readonly Reading[] = [
  {
    ...{ name: 'list of 75', perSecond: 50, budget: 15 },
    asked: [
      { path: '/api/jobs', ask: (db, whose) => listJobCards(db, whose) },
      {
        path: '/api/jobs?filter=Pending,Rejected,To%20quote&sort=createdAt&dir=asc',
        ask: (db, whose) => listJobCards(db, { ...whose, ...listViews.new, statuses: statusesOf('new') }),
      },
      {
        path: '/api/jobs?filter=In%20progress,Quoted,Invoice%20sent&sort=scheduledAt&dir=asc',
        ask: (db, whose) =>
          listJobCards(db, { ...whose, ...listViews['in-progress'], statuses: statusesOf('in-progress') }),
      },
    ],
  },
  {
    ...{ name: 'counts', perSecond: 50, budget: 5 },
    asked: [{ path: '/api/jobs/count', ask: (db, whose) => countJobs(db, whose) }],
  },
  {
    ...{ name: 'search', perSecond: 10, budget: 25 },
    asked: searches.map((search) => ({
      path: `/api/jobs?search=${encodeURIComponent(search)}`,
      ask: (db, whose) => listJobCards(db, { ...whose, search }),
    })),
  },
  {
    ...{ name: 'schedule', perSecond: 10, budget: 25 },
    asked: [{ path: '/api/jobs/schedule', ask: (db, whose) => getSchedule(db, whose) }],
  },
];

/** Of a list of questions the one for this round. */
export function inRound<T>(list: readonly T[], round: number): T {
  return list[round % list.length] as T;
}

/** The statements that the product sends for a business, prepared where it prepares them. */
export async function sentFor(pool: Pool, ask: Ask, businessId: string): Promise<Statement[]> {
  const sent: Statement[] = [];
  const query = (statement: Statement | string, values: unknown[] = []) => {
    const asked = typeof statement === 'string' ? { text: statement, values } : statement;
    sent.push(asked);
    return pool.query(asked);
  };
  const recording = { query } as unknown as Pool;
  await ask(recording, { businessId, timeZone: 'Australia/Melbourne', now: new Date() });
  return sent;
}
