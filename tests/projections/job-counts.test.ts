import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { statusesOf } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type CountedJobs, countJobs, listJobCards } from '#projections/jobs/list.ts';
import { projections } from '#projections/registry.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { clearReadModels } from '#tests/support/log/histories.ts';
import { aJob, brunswick, record, type StreamEvent } from '#tests/support/scenarios/events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const now = new Date('2026-11-17T00:00:00Z');
const scheduledAt = '2026-11-17T03:00:00.000Z';

/** What may become of one job, a request that is held for review among others. */
const lives: readonly ((job: ReturnType<typeof aJob>) => StreamEvent[])[] = [
  (job) => [job.requested()],
  (job) => [job.requested(), job.held()],
  (job) => [job.requested(), job.held('unchecked'), job.notNeeded()],
  (job) => [job.requested(), job.held(), job.accepted(), job.scheduled(scheduledAt)],
  (job) => [job.requested(), job.held(), job.rejected(), job.restoredStatus('Pending')],
  (job) => [job.requested(), job.accepted(), job.moved('Quoted')],
  (job) => [job.added({ scheduledAt }), job.unsuccessful()],
];

/** Several jobs whose events alternate; each keeps its order. */
const anyLog = fc
  .array(
    fc.record({
      life: fc.nat(lives.length - 1),
      turns: fc.array(fc.nat(99), { minLength: 4, maxLength: 4 }),
    }),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((jobs) =>
    record(
      jobs
        .flatMap(({ life, turns }, index) => {
          const order = turns.toSorted((a, b) => a - b);
          const streamEvents = lives[life]?.(aJob(`job-${index}`, brunswick)) ?? [];
          return streamEvents.map((streamEvent, step) => ({ streamEvent, at: order[step] ?? 100 }));
        })
        .toSorted((a, b) => a.at - b.at)
        .map(({ streamEvent }) => streamEvent),
    ),
  );

/** Which follower goes on next, and by how many events: each has a checkpoint of its own. */
const anyTurns = fc.array(fc.record({ who: fc.nat(99), length: fc.integer({ min: 1, max: 4 }) }), {
  minLength: 1,
  maxLength: 40,
});

const followers = projections.filter(({ categories }) => categories.includes('job'));

async function goOn(who: number, events: readonly RecordedEvent[]): Promise<void> {
  const follower = followers[who];
  if (follower === undefined || events.length === 0) return;
  await inTransaction(database.pool, (db) => follower.apply(db, liveBuild(follower).table, events));
}

/** The counts that the cards of all lists make, held ones left out. */
function recount(cards: readonly JobCardView[]): CountedJobs {
  const answered = cards.filter(({ heldFor }) => heldFor === null);
  const inView = (view: 'new' | 'in-progress') =>
    answered.filter(({ status }) => statusesOf(view).includes(status)).length;
  const today = cards.filter((card) => card.scheduledAt === scheduledAt && card.status !== 'Rejected').length;
  const count = { today, new: inView('new'), inProgress: inView('in-progress'), all: answered.length };
  return { count, waiting: answered.filter(({ status }) => status === 'Pending').length };
}

test('counts are what a recount of the cards gives, however far each follower has come', async () => {
  const whose = { ...brunswick, now };
  await fc.assert(
    fc.asyncProperty(anyLog, anyTurns, async (events, turns) => {
      await clearReadModels(database.pool);
      const done = followers.map(() => 0);
      const toTheEnd = followers.map((_, who) => ({ who, length: events.length }));
      for (const turn of [...turns, ...toTheEnd]) {
        const who = turn.who % followers.length;
        const from = done[who] ?? 0;
        await goOn(who, events.slice(from, from + turn.length));
        done[who] = Math.min(events.length, from + turn.length);
        const { jobs } = await listJobCards(database.pool, { ...whose, limit: 100 });
        expect(await countJobs(database.pool, whose)).toEqual(recount(jobs));
      }
    }),
    { numRuns: 40 },
  );
});
