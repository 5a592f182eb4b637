import type { QueryConfig } from 'pg';
import { searchPatterns } from '#projections/jobs/search-text.ts';
import { cardsTable, countsTable, searchTable } from './tables.ts';

/** A way of reading the heavy business: what the product is asked, and the bare statements for the same rows. */
export type Reading = Readonly<{
  name: string;
  perSecond: number;
  /** p99 in milliseconds. */
  budget: number;
  path(round: number): string;
  statements(round: number, businessId: string): readonly QueryConfig[];
}>;

const CARD = `job_id, business_id, type, status, title, is_urgent, scheduled_at, created_at, name, email, phone,
  address, place_id, lat, lng, revision`;

/** What people type: surnames common and rare, half a phone number, a title, a street, something that is not there. */
const searches = [
  ...['Ngata', 'Rēweti', 'van der Berg', 'Sullivan', 'cameron rd', 'kitchen', 'palmerston', 'urgent quote'],
  ...['025 22', '025 717', '@example.org', 'hōne', 'gladstone', 'zebra crossing'],
];

/** The tabs of the list, each with its order. */
const lists = [
  { query: '', where: '', order: 'created_at desc, job_id desc' },
  {
    query: '?filter=Pending,Rejected,To%20quote&sort=createdAt&dir=asc',
    where: `and status in ('Pending', 'Rejected', 'To quote')`,
    order: 'created_at, job_id',
  },
  {
    query: '?filter=In%20progress,Quoted,Invoice%20sent&sort=scheduledAt&dir=asc',
    where: `and status in ('In progress', 'Quoted', 'Invoice sent')`,
    order: 'scheduled_at nulls first, job_id',
  },
];

const at = <T>(list: readonly T[], round: number): T => list[round % list.length] as T;

export const readings: readonly Reading[] = [
  {
    ...{ name: 'list of 75', perSecond: 50, budget: 15 },
    path: (round) => `/api/jobs${at(lists, round).query}`,
    statements(round, businessId) {
      const { where, order } = at(lists, round);
      return [page(`business_id = $1 ${where}`, order, [businessId])];
    },
  },
  {
    ...{ name: 'counts', perSecond: 50, budget: 5 },
    path: () => '/api/jobs/count',
    statements: (_, businessId) => [
      {
        text: `select status, n, (select count(*) from ${cardsTable} where business_id = $1
            and scheduled_at >= date_trunc('day', now()) and scheduled_at < date_trunc('day', now()) + interval '1 day')
          from ${countsTable} where business_id = $1`,
        values: [businessId],
      },
    ],
  },
  {
    ...{ name: 'search', perSecond: 10, budget: 25 },
    path: (round) => `/api/jobs?search=${encodeURIComponent(at(searches, round))}`,
    statements: (round, businessId) => [
      page(
        `job_id in (select job_id from ${searchTable} where business_id = $1 and search like any($2)
          order by created_at desc, job_id desc limit 75)`,
        'created_at desc, job_id desc',
        [businessId, searchPatterns(at(searches, round))],
      ),
    ],
  },
  {
    ...{ name: 'schedule', perSecond: 10, budget: 25 },
    path: () => '/api/jobs/schedule',
    statements: (_, businessId) => scheduleOf(businessId),
  },
];

/** Cards, counts by day, and what is overdue: all that one answer of the schedule holds. */
function scheduleOf(businessId: string): QueryConfig[] {
  const days = `business_id = $1 and status <> 'Rejected' and scheduled_at >= now() - interval '90 days'
    and scheduled_at < now() + interval '90 days'`;
  const overdue = `business_id = $1 and status in ('Pending', 'To quote', 'In progress', 'Quoted')
    and scheduled_at < date_trunc('day', now())`;
  return [
    page(days, 'scheduled_at nulls first, job_id', [businessId], 501),
    {
      text: `select date_trunc('day', scheduled_at), count(*) from ${cardsTable} where ${days} group by 1`,
      values: [businessId],
    },
    page(overdue, 'scheduled_at nulls first, job_id', [businessId], 20),
    {
      text: `select count(*) from (select from ${cardsTable} where ${overdue} limit 1000) as waiting`,
      values: [businessId],
    },
  ];
}

function page(where: string, order: string, values: unknown[], limit = 75): QueryConfig {
  return {
    text: `select ${CARD} from ${cardsTable} where ${where} order by ${order} limit ${limit}`,
    values,
  };
}
