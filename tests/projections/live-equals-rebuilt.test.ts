import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KnownEvent, versionsOf } from '#core/event-store/event-types.ts';
import type { RecordedEvent } from '#core/event-store/port.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { getProfile } from '#projections/accounts/read.ts';
import { countBoard, listBoard } from '#projections/jobs/board.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { getPublicForm } from '#projections/public-form/read.ts';
import { projections } from '#projections/registry.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { rebuild } from '#projections/runtime/rebuild/rebuild.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { anyHistory, clearReadModels, dumpReadModels } from '#tests/support/log/histories.ts';
import { brunswick, finishedLog, ponsonby, record } from '#tests/support/scenarios/events.ts';
import { naiveAccounts, naiveBusinesses, naiveCounts, naiveJobs } from './naive-read-models.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Batches as an at-least-once subscription may bring them: each goes on from somewhere before the last one's end. */
const anyDelivery = fc.array(fc.record({ back: fc.nat(4), length: fc.integer({ min: 1, max: 9 }) }), {
  minLength: 1,
});

async function deliver(events: readonly RecordedEvent[], delivery: { back: number; length: number }[]) {
  let done = 0;
  for (let turn = 0; done < events.length; turn++) {
    const { back, length } = delivery[turn % delivery.length] ?? { back: 0, length: 1 };
    const from = Math.max(0, done - back);
    done += length;
    const batch = events.slice(from, done);
    const repeated = turn % 3 === 0 ? [...batch, ...batch.slice(-1)] : batch;
    for (const projection of projections) {
      await inTransaction(database.pool, (db) =>
        projection.apply(
          db,
          liveBuild(projection).table,
          repeated.filter(({ stream }) =>
            projection.categories.some((category) => stream.startsWith(`${category}-`)),
          ),
        ),
      );
    }
  }
}

async function readBack() {
  const { rows: jobs } = await database.pool.query(
    `select *, s.business_id = job.business_id and s.created_at = job.created_at as agree
     from ${jobTables.jobs} as job join ${jobTables.details} using (job_id, business_id)
       join ${jobTables.search} as s using (job_id)
     order by job_id`,
  );
  const { rows: counts } = await database.pool.query(`select * from ${jobTables.counts}`);
  return { jobs, counts };
}

test('whatever the delivery, rows equal the independent fold, and counts equal a recount', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, anyDelivery, async (streamEvents, delivery) => {
      await clearReadModels(database.pool);
      const events = record(streamEvents);
      await deliver(events, delivery);
      const { jobs, counts } = await readBack();
      const naive = naiveJobs(events).toSorted((a, b) => (a.jobId < b.jobId ? -1 : 1));
      expect(
        jobs.map((row) => ({
          ...{ jobId: row.job_id, businessId: row.business_id, name: row.name, email: row.email },
          ...{ phone: row.phone, title: row.title, isUrgent: row.is_urgent, address: row.address },
          ...{ type: row.type, status: row.status, notes: row.notes, description: row.description },
          words: row.words,
          scheduledAt: row.scheduled_at?.toISOString() ?? null,
          createdAt: row.created_at.toISOString(),
          noLongerNeededAt: row.no_longer_needed_at?.toISOString() ?? null,
          erasureDueAt: row.erasure_due_at?.toISOString() ?? null,
          removalAskedAt: row.removal_asked_at?.toISOString() ?? null,
          keptUntil: row.kept_until?.toISOString() ?? null,
          erasedAt: row.erased_at?.toISOString() ?? null,
          ...{ answers: row.answers, heldFor: row.held_for, pictures: row.pictures, revision: row.revision },
        })),
      ).toEqual(naive);
      expect(jobs.every(({ agree }) => agree)).toBe(true);
      for (const { search, status, email, erasure_due_at, erased_at } of jobs) {
        const isWithheld = [erasure_due_at, erased_at].some((at) => at !== null);
        // Searches look in texts without dots.
        expect(search.includes(email.replaceAll('.', ''))).toBe(
          !isWithheld && status !== 'Pending' && status !== 'Rejected',
        );
        if (erased_at !== null) expect(search).toBe('');
      }
      expect(
        Object.fromEntries(
          counts.map((row) => [`${row.business_id}: ${row.status}, held: ${row.held}`, Number(row.n)]),
        ),
      ).toEqual(naiveCounts(naive));
      for (const account of naiveAccounts(events)) {
        expect(await getProfile(database.pool, account.accountId)).toMatchObject(account);
      }
      for (const business of naiveBusinesses(events)) {
        const found = await getPublicForm(database.pool, business.slug);
        const asked = found?.form.questions.map(({ id }) => id) ?? [];
        expect({
          ...{ name: found?.form.name, slug: found?.form.slug },
          ...{ theme: found?.form.theme, intro: found?.form.intro, tagline: found?.form.tagline },
          ...{ logo: found?.form.logoUrl?.split('/').at(-1) ?? null, phone: found?.form.contact.phone },
          ...{ asksBudget: asked.includes('budget'), asksPets: asked.includes('pets') },
        }).toEqual(business);
      }
    }),
    { numRuns: 40 },
  );
});

test('whatever the delivery, a board is the independent fold of the log cut at its place', async () => {
  const now = new Date('2026-11-18T00:00:00Z');
  const asked = { statuses: [], today: false, sort: 'createdAt', dir: 'asc', page: 1, limit: 100 } as const;
  await fc.assert(
    fc.asyncProperty(anyHistory, anyDelivery, async (streamEvents, delivery) => {
      await clearReadModels(database.pool);
      const events = record(streamEvents);
      await deliver(events, delivery);
      for (let size = 0; size <= events.length; size += 1) {
        const naive = naiveJobs(events.slice(0, size));
        for (const tenant of [brunswick, ponsonby]) {
          const whose = { ...tenant, now, position: String(size) };
          const stood = naive.filter(({ businessId }) => businessId === tenant.businessId);
          const { jobs } = await listBoard(database.pool, { ...whose, ...asked });
          expect(jobs.map(({ id }) => id).toSorted()).toEqual(stood.map(({ jobId }) => jobId).toSorted());
          for (const { jobId, status, scheduledAt, heldFor, noLongerNeededAt } of stood) {
            const shown = { id: jobId, status, scheduledAt, heldFor, noLongerNeededAt };
            expect(jobs.find(({ id }) => id === jobId)).toMatchObject(shown);
          }
          expect(await countBoard(database.pool, whose)).toEqual(recount(stood));
        }
      }
    }),
    { numRuns: 10 },
  );
});

/** The counts of the four lists on 18 November, on which in either zone all is that has a time. */
function recount(jobs: ReturnType<typeof naiveJobs>) {
  const answered = jobs.filter(({ heldFor }) => heldFor === null);
  const countOf = (...statuses: string[]) =>
    answered.filter(({ status }) => statuses.includes(status)).length;
  const count = {
    today: jobs.filter((job) => job.scheduledAt !== null && job.status !== 'Rejected').length,
    new: countOf('Pending', 'Rejected', 'To quote'),
    inProgress: countOf('In progress', 'Quoted', 'Invoice sent'),
    all: answered.length,
  };
  return { count, waiting: countOf('Pending') };
}

test('whatever the delivery, live tables equal rebuilt tables', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, anyDelivery, async (streamEvents, delivery) => {
      await clearReadModels(database.pool);
      const events = record(streamEvents);
      await deliver(events, delivery);
      const live = await dumpReadModels(database.pool);
      const { pool, url: connectionString } = database;
      const deps = { store: finishedLog(events), pool, connectionString, log: silentLog };
      for (const projection of projections) await rebuild(deps, projection);
      expect(await dumpReadModels(database.pool)).toEqual(live);
    }),
    { numRuns: 12 },
  );
});

test('a job whose customer was erased reads the same with the key as without it, live as rebuilt', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, anyDelivery, async (streamEvents, delivery) => {
      await clearReadModels(database.pool);
      const events = record(streamEvents);
      await deliver(events, delivery);
      const live = await dumpReadModels(database.pool);
      const { pool, url: connectionString } = database;
      const store = finishedLog(withoutKeys(events));
      const deps = { store, pool, connectionString, log: silentLog };
      for (const projection of projections) await rebuild(deps, projection);
      expect(await dumpReadModels(database.pool)).toEqual(live);
    }),
    { numRuns: 12 },
  );
});

/** The events as they read once the keys of erased customers are destroyed. */
function withoutKeys(events: readonly RecordedEvent[]): RecordedEvent[] {
  const erased = new Set(
    events.filter(({ type }) => type === 'JobCustomerErased').map(({ stream }) => stream),
  );
  return events.map((recorded) => {
    if (!erased.has(recorded.stream) || !recorded.event) return recorded;
    const { type, data } = recorded.event;
    const personal = versionsOf(type)?.at(-1)?.personal?.erased ?? {};
    return { ...recorded, event: { type, data: { ...data, ...personal } } as KnownEvent };
  });
}

test('events that speak for a business other than their job’s change nothing of either', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (streamEvents) => {
      await clearReadModels(database.pool);
      const events = record(streamEvents);
      await deliver(events, [{ back: 0, length: 50 }]);
      const rowsOf = async () => {
        const { rows } = await database.pool.query(
          `select to_jsonb(c) - 'revision' as card, to_jsonb(d) - 'revision' as details
           from ${jobTables.jobs} c join ${jobTables.details} d using (job_id) order by job_id`,
        );
        return [rows, (await dumpReadModels(database.pool)).job_counts];
      };
      const before = await rowsOf();
      const forged = events
        .filter(({ stream }) => stream.startsWith('job-'))
        .map(({ event, ...place }) => ({
          ...place,
          revision: place.revision + 1_000,
          event: { ...event, data: { ...event?.data, businessId: 'business-of-nobody' } },
        }));
      await deliver(forged as RecordedEvent[], [{ back: 1, length: 3 }]);
      expect(await rowsOf()).toEqual(before);
    }),
    { numRuns: 20 },
  );
});
