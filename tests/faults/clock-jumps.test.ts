import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTokens } from '#api/http/auth.ts';
import { projections } from '#projections/registry.ts';
import { silentLog } from '#projections/runtime/failure.ts';
import { verify } from '#projections/runtime/rebuild/verify.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { requestedJob, sendForm } from '#tests/support/scenarios/job-requests.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** How far the server's clock is from the time. */
let off = 0;
let api: TestApp;
let acme: SignedIn;

beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + off), env: { RATE_LIMITS: 'on' } });
  acme = await api.signIn();
});
afterEach(() => {
  off = 0;
});
afterAll(() => api?.close());

async function expectProjected(): Promise<void> {
  await api.settle();
  const { store } = api.deps;
  const deps = { store, pool: api.everyRow, connectionString: api.databaseUrl, log: silentLog };
  for (const projection of projections) {
    expect(await verify(deps, projection)).toMatchObject({ differences: [] });
  }
}

test.each([
  ['ahead', [HOUR, 0]],
  ['back', [-HOUR, 0]],
  ['back, then ahead', [-HOUR, HOUR, 0]],
])('while the clock jumps an hour %s, a job goes its way in the order of its revisions', async (_, jumps) => {
  const id = await requestedJob(api, acme);
  expect((await acme.put(`/api/jobs/${id}/accept`)).body.job.status).toBe('To quote');
  for (const [n, jump] of jumps.entries()) {
    off = jump;
    const answer = await acme.put(`/api/jobs/${id}`, { notes: `Note ${n}`, revision: n + 1 });
    expect(answer.body.job).toMatchObject({ notes: `Note ${n}`, revision: n + 2 });
  }
  await api.settle();
  const last = `Note ${jumps.length - 1}`;
  expect((await acme.get(`/api/jobs/${id}`)).body.job.notes).toBe(last);

  const events = await api.deps.store.readStream(`job-${id}`);
  expect(events.map(({ revision }) => revision)).toEqual(events.map((_event, index) => index));
  const positions = events.map(({ position }) => Number(position));
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  const times = events.map(({ metadata }) => metadata.at);
  expect(times).not.toEqual(times.toSorted());
  const { history } = (await acme.get(`/api/jobs/${id}/history`)).body;
  const revisions = history.map(({ revision }: { revision: number }) => revision);
  expect(revisions).toEqual(revisions.toSorted((a: number, b: number) => b - a));
  await expectProjected();
});

test('a session stays good while the clock jumps an hour, and a request comes in', async () => {
  for (const jump of [HOUR, -HOUR]) {
    off = jump;
    const title = jump > 0 ? 'Later' : 'Earlier';
    expect((await sendForm(api, acme.slug, { title })).status).toBe(200);
    await api.settle();
    expect((await acme.get(`/api/jobs?search=${title}`)).body.jobs).toHaveLength(1);
  }
});

test.each([
  [59, true],
  [61, false],
])('a token that ended %i seconds ago by this clock is good: %s', async (seconds, good) => {
  const { config } = api.deps;
  const now = new Date('2026-11-20T01:00:00.000Z');
  const { sign, verify: check } = createTokens({ config, now: () => now });
  const claims = { accountId: acme.accountId, sessionId: 'x'.repeat(43) };
  const token = await sign(claims, new Date(now.getTime() - seconds * SECOND));
  expect(await check(token)).toEqual(good ? claims : null);
});
