import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Projection } from '#projections/runtime/projection.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/api.ts';
import { sendForm } from '#tests/support/job-requests.ts';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const JOBS = 6;

let api: TestApp;
let tradie: SignedIn;
/** While set, no projection writes anything until it resolves. */
let held: PromiseWithResolvers<void> | undefined;

const slow = (projection: Projection): Projection => ({
  ...projection,
  async apply(...batch) {
    await held?.promise;
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

/** What a list shows of each job; besides, no count may be below zero whenever somebody looks. */
async function statuses(round: number): Promise<string[]> {
  const { count } = (await tradie.get('/api/jobs/count')).body;
  expect(Math.min(...numbersIn(count))).toBeGreaterThanOrEqual(0);
  const { jobs } = (await tradie.get(`/api/jobs?search=of%20${round}&limit=100`)).body;
  return jobs.map(({ status }: { status: string }) => status).toSorted();
}

test(
  `while the read models are held up, ${ROUNDS} times, writers see their own writes and no count is below zero`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
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
  ROUNDS * 100_000,
);
