import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#core/postgres/transaction.ts';
import { scheduleLimits } from '#core/values/time.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { getSchedule } from '#projections/jobs/schedule.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { clearReadModels } from '#tests/support/log/histories.ts';
import { aJob, brunswick, ponsonby, record, type StreamEvent } from '#tests/support/scenarios/events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const DAY = 86_400_000;
const zones = ['Australia/Melbourne', 'Australia/Lord_Howe', 'Pacific/Auckland', 'Pacific/Chatham'] as const;
/** Days on which clocks of those zones change, and one on which none do. */
const changes = ['2026-04-04', '2026-04-05', '2026-09-26', '2026-10-03', '2026-10-04', '2026-06-15'] as const;

type Move = 'none' | 'rejected' | 'unsuccessful' | 'completed' | 'paid';
type Scheduled = Readonly<{ at: string; move: Move; foreign: boolean }>;

const scheduled: fc.Arbitrary<(day: string) => Scheduled> = fc
  .record({
    minutes: fc.integer({ min: -3 * 48 * 30, max: 3 * 48 * 30 }),
    move: fc.constantFrom<Move>('none', 'none', 'rejected', 'unsuccessful', 'completed', 'paid'),
    foreign: fc.boolean(),
  })
  .map(({ minutes, move, foreign }) => (day) => {
    const at = new Date(Date.parse(`${day}T00:00:00Z`) + minutes * 60_000).toISOString();
    return { at, move, foreign };
  });

function eventsOfJobs(jobs: readonly Scheduled[]): StreamEvent[] {
  return jobs.flatMap(({ at, move, foreign }, index) => {
    const job = aJob(`job-${index}`, foreign ? ponsonby : brunswick);
    const opened = job.workOrder({ scheduledAt: at });
    if (move === 'rejected') return [opened, job.rejected()];
    if (move === 'unsuccessful') return [opened, job.accepted(), job.unsuccessful()];
    if (move === 'completed') return [opened, job.accepted(), job.moved('Completed')];
    return move === 'paid' ? [opened, job.accepted(), job.moved('Paid')] : [opened];
  });
}

async function given(streamEvents: readonly StreamEvent[]): Promise<void> {
  await clearReadModels(database.pool);
  const { table } = liveBuild(jobsProjection);
  await inTransaction(database.pool, (db) => jobsProjection.apply(db, table, record(streamEvents)));
}

/** The calendar day of an instant as the zone's own clocks have it, by other means than the code under test. */
function localDay(instant: string | Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(instant));
}

test('days, counts, cards and what is overdue are as the calendar on the wall has them, clock changes or not', async () => {
  const scene = fc.record({
    timeZone: fc.constantFrom(...zones),
    day: fc.constantFrom(...changes),
    jobs: fc.array(scheduled, { maxLength: 25 }),
    hour: fc.integer({ min: 0, max: 23 }),
    length: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ timeZone, day, jobs, hour, length }) => {
      const all = jobs.map((job) => job(day));
      await given(eventsOfJobs(all));
      const now = new Date(Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000);
      const to = new Date(Date.parse(day) + length * DAY).toISOString().slice(0, 10);
      const { businessId } = brunswick;
      const schedule = await getSchedule(database.pool, {
        businessId,
        timeZone,
        now,
        days: { from: day, to },
      });

      const own = all.filter(
        ({ foreign, move }) => !foreign && move !== 'rejected' && move !== 'unsuccessful',
      );
      const inDays = own.filter(({ at }) => localDay(at, timeZone) >= day && localDay(at, timeZone) <= to);
      const counts = Map.groupBy(inDays, ({ at }) => localDay(at, timeZone));
      const today = localDay(now, timeZone);
      const overdue = own.filter(({ at, move }) => move === 'none' && localDay(at, timeZone) < today);
      const times = (list: readonly { at: string }[]) => list.map(({ at }) => at).sort();
      expect({
        today: schedule.today,
        days: schedule.days,
        jobs: schedule.jobs.map(({ scheduledAt }) => scheduledAt),
        overdue: [schedule.overdue.count, schedule.overdue.jobs.map(({ scheduledAt }) => scheduledAt)],
      }).toEqual({
        today,
        days: [...counts]
          .map(([date, list]) => ({ date, count: list.length }))
          .sort((a, b) => (a.date < b.date ? -1 : 1)),
        jobs: times(inDays),
        overdue: [overdue.length, times(overdue).slice(0, scheduleLimits.overdue)],
      });
    }),
    { numRuns: 60 },
  );
});

test('withholds the contact of what is not accepted', async () => {
  await given(eventsOfJobs([{ at: '2026-06-15T00:00:00.000Z', move: 'none', foreign: false }]));
  const query = { ...brunswick, now: new Date('2026-06-17T00:00:00Z') };
  const schedule = await getSchedule(database.pool, query);
  for (const card of [...schedule.jobs, ...schedule.overdue.jobs]) expect(card).not.toHaveProperty('phone');
  expect(schedule.overdue.count).toBe(1);
});

test('shows 500 jobs at a time, counts all of them and says that there are more', async () => {
  const jobs = Array.from({ length: 501 }, (_, index): Scheduled => {
    const at = new Date(Date.parse('2026-06-14T22:00:00Z') + index * 60_000).toISOString();
    return { at, move: 'none', foreign: false };
  });
  await given(eventsOfJobs(jobs));
  const query = { ...brunswick, now: new Date('2026-06-15T00:00:00Z') };
  const schedule = await getSchedule(database.pool, query);
  expect(schedule.jobs).toHaveLength(500);
  expect(schedule.jobs.at(-1)?.scheduledAt).toBe(jobs[499]?.at);
  expect(schedule.more).toBe(true);
  expect(schedule.days).toEqual([{ date: '2026-06-15', count: 501 }]);
  const rest = await getSchedule(database.pool, { ...query, ahead: 1, page: 2 });
  expect(rest).toMatchObject({ jobs: [{ scheduledAt: jobs[500]?.at }], more: false, days: schedule.days });
});
