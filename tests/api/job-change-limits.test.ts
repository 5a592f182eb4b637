import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aNewJob } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp({ env: { RATE_LIMITS: 'on' } });
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => app?.close());

/** The limiter counts by `Date.now`. */
function pass(seconds: number) {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
}
const newJob = async () => (await acme.post('/api/jobs', aNewJob())).body.job.id as string;
const note = (id: string, notes: string) => acme.put(`/api/jobs/${id}`, { notes });

test('a job takes sixty changes in a minute, by whichever route, and says when it takes more', async () => {
  acme = await app.signIn();
  const [id, other] = [await newJob(), await newJob()];
  const answers = [];
  for (let n = 0; n < 58; n += 1) answers.push(await note(id, `Note ${n}`));
  const { revision } = answers.at(-1)?.body.job ?? {};
  answers.push(await acme.post(`/api/jobs/${id}/undo`, { revision }));
  answers.push(await acme.post(`/api/jobs/${id}/messages`, { kind: 'running-late' }));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);

  const refused = await note(id, 'One more');
  expect(refused).toMatchObject({ status: 429, body: { status: 'error' } });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  for (const route of ['undo', 'messages']) {
    const body = route === 'undo' ? { revision } : { kind: 'on-my-way' };
    expect((await acme.post(`/api/jobs/${id}/${route}`, body)).status).toBe(429);
  }
  expect((await acme.put(`/api/jobs/${id}/accept`)).status).toBe(429);
  expect((await note(other, 'Another job')).status).toBe(200);
  pass(61);
  expect((await note(id, 'One more')).body.job.notes).toBe('One more');
});

test('an account makes 240 changes in a minute, over all its jobs', async () => {
  acme = await app.signIn();
  const ids = await Promise.all(Array.from({ length: 5 }, newJob));
  const statuses: number[] = [];
  for (let n = 0; n < 250; n += 1) statuses.push((await note(ids[n % ids.length] ?? '', `Note ${n}`)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(240);
  expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  const eve = await app.signIn();
  const { job } = (await eve.post('/api/jobs', aNewJob())).body;
  expect((await eve.put(`/api/jobs/${job.id}`, { notes: 'Mine' })).status).toBe(200);
});
