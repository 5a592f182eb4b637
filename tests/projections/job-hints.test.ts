import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '#core/postgres/transaction.ts';
import { findJobHints } from '#projections/jobs/hints.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { clearReadModels } from '#tests/support/log/histories.ts';
import { aJob, brunswick, customers, ponsonby, record } from '#tests/support/scenarios/events.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const now = new Date('2026-11-20T00:00:00Z');
const noon = Date.parse('2026-11-25T01:00:00Z');
const instant = (time: number) => new Date(time).toISOString();

const anyJob = fc.record({
  customer: fc.constantFrom(0, 1, 2),
  /** Days before now. */
  age: fc.constantFrom(0, 1, 29, 30, 31, 400),
  /** Minutes from the time in question. */
  off: fc.constantFrom(-60, -30, -29, 0, 15, 30, 45),
  state: fc.constantFrom('Pending', 'Rejected', 'To quote'),
  foreign: fc.boolean(),
});

/** As another keyboard writes it, without commas and with more blanks. */
const typedOtherwise = (address: string) => ` ${address.toUpperCase().replaceAll(',', '  ')}.`;

test('hints are what a look at every job says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyJob, { maxLength: 5 }), fc.constantFrom(0, 1, 2), async (jobs, asked) => {
      await clearReadModels(database.pool);
      const streamEvents = jobs.flatMap(({ customer, age, off, state, foreign }, index) => {
        const job = aJob(`job-${index}`, foreign ? ponsonby : brunswick, customers[customer]);
        const scheduledAt = instant(noon + off * 60_000);
        const opened = job.workOrder({ scheduledAt, receivedAt: instant(now.getTime() - age * 86_400_000) });
        return state === 'Pending'
          ? [opened]
          : [opened, state === 'Rejected' ? job.rejected() : job.accepted()];
      });
      await inTransaction(database.pool, (db) =>
        jobsProjection.apply(db, liveBuild(jobsProjection).table, record(streamEvents)),
      );

      const { phone, email, location } = customers[asked] ?? customers[0];
      const { businessId } = brunswick;
      const query = { businessId, now, phone, email, address: typedOtherwise(location.address) };
      const hints = await findJobHints(database.pool, { ...query, scheduledAt: instant(noon) });

      const own = jobs
        .map((job, index) => ({ ...job, id: `job-${index}` }))
        .filter(({ foreign }) => !foreign);
      const near = own.filter(({ off, state }) => state !== 'Rejected' && Math.abs(off) < 30);
      const alike = own.filter(({ customer, age }) => customer === asked && age <= 30);
      expect(hints.overlaps.map(({ id }) => id).sort()).toEqual(near.map(({ id }) => id).sort());
      expect(new Map(hints.repeats.map(({ id, same }) => [id, same.join()]))).toEqual(
        new Map(alike.map(({ id, state }) => [id, state === 'To quote' ? 'phone,email,address' : 'address'])),
      );
    }),
    { numRuns: 60 },
  );
});
