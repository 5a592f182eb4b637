import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitJobRequest } from '#api/intake/public-form/submit.ts';
import { jobsProjection } from '#projections/jobs/projection.ts';
import { countsTable, jobsTable } from '#projections/jobs/table.ts';
import { projections } from '#projections/registry.ts';
import { liveBuild } from '#projections/runtime/build.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import type { Projection } from '#projections/runtime/projection.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';
import { aJobRequest, sendForm } from '#tests/support/scenarios/job-requests.ts';

const JOBS = 6;

let api: TestApp;
let tradie: SignedIn;
/** While set, no projection writes anything until it resolves, or the named one alone. */
let held: (PromiseWithResolvers<void> & { name?: string }) | undefined;

const slow = (projection: Projection): Projection => ({
  ...projection,
  async apply(...batch) {
    if (held?.name === undefined || held.name === projection.name) await held?.promise;
    return projection.apply(...batch);
  },
});

beforeAll(async () => {
  api = await testApp({ projection: slow, timeout: 300 });
  tradie = await api.signIn();
});
afterAll(() => api?.close());

const numbersIn = (count: unknown): number[] =>
  typeof count === 'number' ? [count] : Object.values(count as object).flatMap(numbersIn);

/** What a list shows of each job; besides, no count may be below zero whenever they are read. */
async function statuses(round: number): Promise<string[]> {
  const { count } = (await tradie.get('/api/jobs/count')).body;
  expect(Math.min(...numbersIn(count))).toBeGreaterThanOrEqual(0);
  const { jobs } = (await tradie.get(`/api/jobs?search=of%20${round}&limit=100`)).body;
  return jobs.map(({ status }: { status: string }) => status).toSorted();
}

test(
  `while the read models are held up, ${faultTimes}, writers see their own writes and no count is below zero`,
  async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      for (let n = 0; n < JOBS; n += 1) {
        expect((await sendForm(api, tradie.slug, { title: `Job ${n} of ${round}` })).status).toBe(200);
      }
      await api.settle();
      const { jobs } = (await tradie.get(`/api/jobs?search=of%20${round}&limit=100`)).body;
      const shown = jobs.map(({ id }: { id: string }) => id);
      const pending = Array.from({ length: JOBS }, () => 'Pending');
      expect(await statuses(round)).toEqual(pending);

      held = Promise.withResolvers();
      for (const [index, id] of shown.entries()) {
        const [action, status] = index % 2 === 0 ? ['accept', 'To quote'] : ['reject', 'Rejected'];
        const answer = await tradie.put(`/api/jobs/${id}/${action}`);
        expect(answer.headers.get('x-read-model')).toBe('behind');
        expect(answer.body.job.status).toBe(status);
        expect((await tradie.put(`/api/jobs/${id}`, { notes: `Seen ${index}` })).body.job).toMatchObject({
          status,
          notes: `Seen ${index}`,
        });
        expect(await statuses(round)).toEqual(pending);
      }
      held.resolve();
      held = undefined;
      const answered = [...Array(JOBS / 2).fill('Rejected'), ...Array(JOBS / 2).fill('To quote')];
      await expect.poll(() => statuses(round), { timeout: 50_000, interval: 5 }).toEqual(answered);
    }
  },
  faultRounds * 100_000,
);

/** A request beyond the budget of its business: it is held for review. */
async function sendHeld(title: string): Promise<void> {
  const { answers: _, ...body } = aJobRequest();
  const name = { name: 'Aroha', email: 'aroha@example.com', phone: '+61491570156' };
  const config = { ...api.deps.config, rateLimits: 'on' as const };
  await submitJobRequest(
    { ...api.deps, config },
    {
      ...{
        businessId: tradie.businessId,
        body,
        key: title,
        ticket: null,
        sourceHash: title,
        actor: 'customer',
      },
      request: {
        ...{ ...name, title, description: '', wishedTime: '', isUrgent: false, answers: [] },
        location: { address: 'x', placeId: null, lat: null, lng: null },
      },
      ...{ media: [], correlation: 'test', jobId: api.deps.newId() },
      limits: {
        ...{ channel: 'page' as const, perSourceIn10Minutes: 99, perBusinessInHour: 0, perBusinessInDay: 99 },
        ...{ heldInHour: 99, heldInDay: 99 },
      },
    },
  );
}

/** The stored counts and the same counted anew, in one statement: at every position they are equal. */
async function expectCounted(): Promise<void> {
  const { table } = liveBuild(jobsProjection);
  const { rows } = await api.everyRow.query(
    `select coalesce(stored.n, 0)::int as stored, coalesce(counted.n, 0)::int as counted
     from (select business_id, status, held, n from ${table(countsTable.name)}) as stored
     full join (
       select business_id, status, held_for is not null as held, count(*) as n
       from ${table(jobsTable.name)} group by 1, 2, 3
     ) as counted using (business_id, status, held)`,
  );
  expect(rows.map(({ stored }) => stored)).toEqual(rows.map(({ counted }) => counted));
  const { count } = (await tradie.get('/api/jobs/count')).body;
  expect(Math.min(...numbersIn(count))).toBeGreaterThanOrEqual(0);
}

test.each(projections.map(({ name }) => name))(
  'while %s alone is held up the others go on, and counts agree with the jobs, held ones included',
  async (name) => {
    for (let n = 0; n < 2; n += 1) {
      expect((await sendForm(api, tradie.slug, { title: `Sent ${n} of ${name}` })).status).toBe(200);
      await sendHeld(`Held ${n} of ${name}`);
    }
    await api.settle();
    const { jobs } = (await tradie.get(`/api/jobs?search=of%20${name}&limit=100`)).body;
    expect(jobs.map(({ heldFor }: { heldFor: string | null }) => heldFor).toSorted()).toEqual(
      ['unchecked', 'unchecked', null, null].toSorted(),
    );

    held = { ...Promise.withResolvers<void>(), name };
    const behind = (whose: string) => (whose === name ? 'behind' : null);
    const renamed = await tradie.put('/api/registration/account', { firstName: 'Renamed', lastName: name });
    expect(renamed.status).toBe(200);
    expect(renamed.headers.get('x-read-model')).toBe(behind('accounts'));
    for (const [index, { id }] of jobs.entries()) {
      const [action, status] = index % 2 === 0 ? ['accept', 'To quote'] : ['reject', 'Rejected'];
      const answer = await tradie.put(`/api/jobs/${id}/${action}`);
      expect(answer.body.job).toMatchObject({ status, heldFor: null });
      expect(answer.headers.get('x-read-model')).toBe(behind('jobs'));
      await expectCounted();
    }
    held.resolve();
    held = undefined;
    const shown = async () =>
      (await tradie.get(`/api/jobs?search=of%20${name}&limit=100`)).body.jobs
        .map(({ status }: { status: string }) => status)
        .toSorted();
    await expect
      .poll(shown, { timeout: 50_000, interval: 5 })
      .toEqual([...Array(2).fill('Rejected'), ...Array(2).fill('To quote')]);
    await api.settle();
    await expectCounted();
    const { everyRow: pool, databaseUrl: connectionString } = api;
    const deps = { store: api.deps.store, pool, connectionString, log: silentLog };
    for (const projection of projections) {
      expect(await verify(deps, projection)).toMatchObject({ differences: [] });
    }
  },
  100_000,
);
