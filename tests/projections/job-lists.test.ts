import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Statement } from '#core/postgres/statement.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { countJobs, type JobListQuery, listJobCards } from '#projections/jobs/list.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { usedPlan } from '#tests/bench/used-plan.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { clearReadModels } from '#tests/support/log/histories.ts';
import {
  aJob,
  brunswick,
  customers,
  ponsonby,
  record,
  type StreamEvent,
} from '#tests/support/scenarios/events.ts';

/** Tuesday 17 November 2026, 10 past 9 in Melbourne. */
const now = new Date('2026-11-16T22:10:00.000Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(() => clearReadModels(database.pool));
afterAll(() => database.close());

async function given(...streamEvents: StreamEvent[]): Promise<void> {
  const { table } = liveBuild(jobsProjection);
  for (const _ of ['once', 'twice']) {
    await inTransaction(database.pool, (db) => jobsProjection.apply(db, table, record(streamEvents)));
  }
}

async function list(query: Partial<JobListQuery> = {}) {
  const { jobs } = await listJobCards(database.pool, { ...brunswick, now, ...query });
  return jobs;
}

const ids = async (query: Partial<JobListQuery> = {}) => (await list(query)).map(({ id }) => id);
const count = async (tenant: typeof brunswick | typeof ponsonby = brunswick, at = now) =>
  (await countJobs(database.pool, { ...tenant, now: at })).count;

test('a card holds what the spec names, and no contact before the job is accepted', async () => {
  const job = aJob('lygon', brunswick);
  await given(job.requested());
  const [card] = await list();
  expect(card).toEqual({
    ...{ id: 'lygon', type: 'Consumer', status: 'Pending', title: 'Leaking shower mixer', isUrgent: true },
    ...{
      scheduledAt: null,
      createdAt: '2026-11-16T21:30:00.000Z',
      noLongerNeededAt: null,
      heldFor: null,
      name: 'Matiu Ngata',
      pictures: 0,
      ...{ words: 'The hot tap will not close.', preferredTime: 'Any morning' },
      revision: 0,
    },
    location: customers[0].location,
  });
  await clearReadModels(database.pool);
  await given(job.requested(), job.accepted());
  expect((await list())[0]).toMatchObject({
    ...{ status: 'To quote', email: 'matiu@example.com', phone: '+61491570156' },
  });
});

test.each(['matiu@example.com', 'MATIU@EXAMPLE', '+61491570156', '0491 570 156', '0491570156', '491 570'])(
  'a search for %s finds nothing until the job is accepted, and nothing again once it is rejected',
  async (search) => {
    const job = aJob('lygon', brunswick);
    await given(job.requested());
    expect(await ids({ search })).toEqual([]);
    await given(job.requested(), job.accepted());
    expect(await ids({ search })).toEqual(['lygon']);
    await given(job.requested(), job.accepted(), job.rejected());
    expect(await ids({ search })).toEqual([]);
  },
);

test('a search matches name, title, address and notes in any case, and takes wildcards as text', async () => {
  const job = aJob('lygon', brunswick);
  await given(job.requested(), job.noted('100% copper_pipe C:\\drawings'), aJob('other', brunswick).added());
  for (const search of ['SHOWER mix', 'ngata', 'lygon', '100%', 'copper_pipe', 'c:\\drawings', '22/140']) {
    expect(await ids({ search }), search).toContain('lygon');
  }
  for (const search of ['100_', 'copper%pipe', 'sho%mix', '...', "'; drop", 'nothing here']) {
    expect(await ids({ search }), search).toEqual([]);
  }
  expect(await ids({ search: 'Ngata', statuses: ['Pending'] })).toEqual(['lygon']);
  await expect(list({ search: 'ab' })).rejects.toThrow(RangeError);
  await expect(list({ search: 'a'.repeat(101) })).rejects.toThrow(RangeError);
});

test('the name is found whatever the phone column could look like: parts of two columns never match together', async () => {
  await given(aJob('lygon', brunswick).added());
  expect(await ids({ search: 'Ngata Switchboard' })).toEqual([]);
});

test('every list has its filter and its order', async () => {
  const at = (hour: string) => `2026-11-10T${hour}:00:00.000Z`;
  const job = (id: string) => aJob(id, brunswick);
  await given(
    job('a').requested({ requestedAt: at('01') }),
    job('b').added({ addedAt: at('02'), scheduledAt: '2026-11-20T00:00:00.000Z' }),
    job('c').added({ addedAt: at('03') }),
    job('c').moved('In progress'),
    job('d').added({ addedAt: at('04'), scheduledAt: '2026-11-18T00:00:00.000Z' }),
    job('d').moved('Quoted'),
    job('e').added({ addedAt: at('05') }),
    job('e').moved('Paid'),
  );
  expect(await ids()).toEqual(['e', 'd', 'c', 'b', 'a']);
  expect(await ids({ statuses: ['Pending', 'Rejected', 'To quote'], dir: 'asc' })).toEqual(['a', 'b']);
  const inProgress = ['In progress', 'Quoted', 'Invoice sent'] as const;
  expect(await ids({ statuses: inProgress, sort: 'scheduledAt', dir: 'asc' })).toEqual(['c', 'd']);
  expect(await ids({ sort: 'scheduledAt', dir: 'desc' })).toEqual(['b', 'd', 'e', 'c', 'a']);
  expect(await ids({ today: true, sort: 's.date', dir: 'asc' })).toEqual(['d', 'b']);
});

test('pages join without loss or repeat, ties included', async () => {
  const all = Array.from({ length: 11 }, (_, n) => `tie-${String(n).padStart(2, '0')}`);
  await given(...all.map((id) => aJob(id, brunswick).added()));
  const pages = await Promise.all([1, 2, 3, 4].map((page) => ids({ page, limit: 3, dir: 'asc' })));
  expect(pages.flat()).toEqual(all);
  expect(await ids({ page: 500 })).toEqual([]);
  for (const wrong of [{ page: 0 }, { page: 501 }, { limit: 0 }, { limit: 101 }, { limit: 1.5 }]) {
    await expect(list(wrong)).rejects.toThrow(RangeError);
  }
});

test('today is the day of the business, not of the server: both of its edges count', async () => {
  const instants = {
    'before-midnight': '2026-11-16T12:59:59.999Z',
    midnight: '2026-11-16T13:00:00.000Z',
    evening: '2026-11-17T12:59:59.999Z',
    'next-midnight': '2026-11-17T13:00:00.000Z',
  };
  await given(
    ...Object.entries(instants).map(([id, scheduledAt]) => aJob(id, brunswick).added({ scheduledAt })),
    aJob('rejected', brunswick).workOrder({ scheduledAt: instants.midnight }),
    aJob('rejected', brunswick).rejected(),
    aJob('elsewhere', ponsonby).added({ scheduledAt: instants.midnight }),
  );
  expect(await count()).toEqual({ today: 2, new: 5, inProgress: 0, all: 5 });
  expect(await count(ponsonby)).toEqual({ today: 1, new: 1, inProgress: 0, all: 1 });
  expect((await count(brunswick, new Date('2026-11-17T13:00:00.000Z'))).today).toBe(1);
});

test('the schedule reaches from 90 days before today to the end of the 89th day after', async () => {
  const scheduled = (id: string, scheduledAt: string) => aJob(id, brunswick).added({ scheduledAt });
  await given(
    scheduled('too-early', '2026-08-18T13:59:59.999Z'),
    scheduled('first', '2026-08-18T14:00:00.000Z'),
    scheduled('last', '2027-02-14T12:59:59.999Z'),
    scheduled('too-late', '2027-02-14T13:00:00.000Z'),
  );
  expect(await ids({ today: true, sort: 's.date', dir: 'asc' })).toEqual(['first', 'last']);
});

test('a business sees its own jobs alone, in lists, searches and counts', async () => {
  const [own, foreign] = [aJob('own', brunswick), aJob('foreign', ponsonby)];
  await given(own.requested(), own.accepted(), foreign.requested(), foreign.accepted());
  expect(await ids()).toEqual(['own']);
  expect(await ids({ search: 'matiu@' })).toEqual(['own']);
  expect((await count()).all).toBe(1);
  expect(await list({ businessId: 'nobody' })).toEqual([]);
  expect(await count({ ...brunswick, businessId: 'nobody' } as never)).toEqual({
    ...{ today: 0, new: 0, inProgress: 0, all: 0 },
  });
});

test('an event that names a job of another stream does not reach it', async () => {
  const [own, victim] = [aJob('own', brunswick), aJob('victim', ponsonby)];
  await given(
    victim.requested(),
    { ...own.rejected(), stream: 'job-victim' },
    {
      ...victim.requested({ title: 'overwritten' }),
      stream: 'job-forged',
    },
  );
  const { jobs } = await listJobCards(database.pool, { ...ponsonby, now });
  expect(jobs).toMatchObject([{ id: 'victim', status: 'Pending', title: 'Leaking shower mixer' }]);
  expect(await count(ponsonby)).toMatchObject({ all: 1 });
});

test('an event in an older order changes nothing', async () => {
  const job = aJob('lygon', brunswick);
  const [requested, accepted, noted] = record([job.requested(), job.accepted(), job.noted('Ring first')]);
  const { table } = liveBuild(jobsProjection);
  for (const event of [requested, accepted, noted, requested, accepted]) {
    await inTransaction(database.pool, (db) => jobsProjection.apply(db, table, event ? [event] : []));
  }
  expect((await list())[0]).toMatchObject({ status: 'To quote', revision: 2 });
  expect(await count()).toMatchObject({ new: 1, all: 1 });
});

/** A business with many paid jobs and three that are quoted, and many with ten jobs each, of which every other one is quoted. */
async function givenLargeBusiness(): Promise<void> {
  await database.pool.query(
    `insert into ${jobTables.jobs} (job_id, business_id, type, status, title, is_urgent, created_at, scheduled_at, name, email,
       phone, address, pictures, words, preferred_time, revision)
     select 'job-' || n, case when n <= 30000 then $1 else 'small-' || n / 10 end, 'Consumer',
       case when n % 10000 = 7 or n > 30000 and n % 2 = 0 then 'Quoted' else 'Paid' end, 'Leaking tap', false, timestamptz '2026-01-01' + n * interval '1 minute',
       timestamptz '2026-02-01' + n * interval '1 minute', 'Matiu', 'm@example.com', '+61491570156', '22/140 Lygon St', 0, '', '', 0
     from generate_series(1, 40000) as n`,
    [brunswick.businessId],
  );
  await database.pool.query(`vacuum (analyze) ${jobTables.jobs}`);
}

async function statementFor(query: Partial<JobListQuery>): Promise<Statement> {
  const sent: Statement[] = [];
  const ask = async (statement: Statement) => {
    sent.push(statement);
    return { rows: [] };
  };
  await listJobCards({ query: ask } as never, { ...brunswick, now, ...query });
  return sent[0] as Statement;
}

test('a list by rare statuses reads few rows of a business with many jobs, planned for it or for others', async () => {
  await givenLargeBusiness();
  const statuses = ['In progress', 'Quoted', 'Invoice sent', 'Quoted'] as const;
  for (const sort of ['createdAt', 'scheduledAt'] as const) {
    for (const dir of ['asc', 'desc'] as const) {
      const query = { sort, dir, statuses };
      const found = ['job-7', 'job-10007', 'job-20007'];
      expect(await ids(query)).toEqual(dir === 'asc' ? found : found.toReversed());
      const heavy = await statementFor(query);
      for (const before of [heavy, await statementFor({ ...query, businessId: 'small-3500' })]) {
        const { lines } = await usedPlan(database.pool, heavy, before);
        const [, hit, read = '0'] = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(lines.join('\n')) ?? [];
        expect(Number(hit) + Number(read), lines.join('\n')).toBeLessThan(100);
      }
    }
  }
});

test('a list by usual statuses reads no further than its page', async () => {
  await givenLargeBusiness();
  const statuses = ['Paid', 'Quoted'] as const;
  for (const sort of ['createdAt', 'scheduledAt'] as const) {
    for (const dir of ['asc', 'desc'] as const) {
      const heavy = await statementFor({ sort, dir, statuses });
      const { lines } = await usedPlan(database.pool, heavy, heavy);
      const rows = lines.flatMap((line) => /actual rows=(\d+)/.exec(line)?.[1] ?? []).map(Number);
      expect(Math.max(...rows), lines.join('\n')).toBeLessThanOrEqual(76);
    }
  }
});
