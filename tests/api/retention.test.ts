import { afterAll, beforeAll, expect, test } from 'vitest';
import { carryOut } from '#api/privacy/carry-out.ts';
import { requestErasure } from '#api/privacy/request-erasure.ts';
import { findOverdueJobs } from '#api/privacy/retention/overdue-jobs.ts';
import { keyVariables } from '#api/runtime/config/keys.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/api.ts';
import { erasing } from '#tests/support/erasing.ts';
import { aNewJob, requestedJob } from '#tests/support/job-requests.ts';
import { runUte } from '#tests/support/processes.ts';
import { tempFolder } from '#tests/support/temp-folder.ts';

const folder = tempFolder('retention');
const begin = new Date('2017-05-10T02:00:00.000Z');
let now = begin;
let api: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  api = await testApp({ processes: true, now: () => now });
});
afterAll(async () => {
  await api?.close();
  folder.remove();
});

async function overdue(at: string) {
  const { store } = api.deps;
  return Array.fromAsync(findOverdueJobs({ store, everyRow: api.everyRow, now: () => new Date(at) }));
}

test('a job is overdue 12 months after its last event when it was never accepted, 7 years after it when it was', async () => {
  acme = await api.signIn();
  const waiting = await requestedJob(api, acme, { email: 'first@example.com' });
  const worked = (await acme.post('/api/jobs', aNewJob())).body.job.id;
  const removed = (await acme.post('/api/jobs', aNewJob())).body.job.id;
  now = new Date('2017-08-20T02:00:00.000Z');
  acme = { ...acme, ...(await signedInAgain()) };
  expect((await acme.put(`/api/jobs/${worked}`, { status: 'Paid' })).status).toBe(200);
  await forget(removed);
  await api.settle();

  expect(await overdue('2018-05-10T01:59:00.000Z')).toEqual([]);
  const first = { jobId: waiting, businessId: acme.businessId, rule: 'never-accepted' };
  expect(await overdue('2018-05-11T02:00:00.000Z')).toMatchObject([first]);
  // Seven years after it was made, but not after it was paid.
  expect(await overdue('2024-06-01T00:00:00.000Z')).toMatchObject([first]);
  const both = await overdue('2024-08-21T00:00:00.000Z');
  expect(both).toHaveLength(2);
  expect(both).toContainEqual({
    ...{ jobId: worked, businessId: acme.businessId, rule: 'worked-on' },
    lastChangedAt: expect.stringMatching(/^2017-08-20T/),
  });
});

test('the command reports by ids alone, and changes nothing', async () => {
  const head = await api.deps.store.head();
  expect(await report()).toEqual({
    out: 'never accepted, no change for 12 months: 1 job\nworked on, no change for 84 months: 1 job\n',
    ...{ err: '', code: 0 },
  });
  const { out } = await report('--json');
  expect(JSON.parse(out)).toHaveLength(2);
  expect(out).not.toMatch(/example|Moana/);
  expect(await api.deps.store.head()).toEqual(head);
});

async function signedInAgain() {
  const { email, password } = acme;
  const { token } = (await api.post('/api/authenticate/login', { email, password })).body;
  return { ...api.as({ authorization: `Bearer ${token}` }), token };
}

async function forget(id: string): Promise<void> {
  const { deps } = erasing(api);
  const erasureId = crypto.randomUUID();
  await requestErasure(deps, {
    ...{ erasureId, scope: 'jobs', basis: 'operator', businessId: acme.businessId, ids: [id], isNow: true },
  });
  await carryOut(deps, erasureId);
}

function report(...words: string[]) {
  const keys = Object.entries(keyVariables).map(([purpose, variable]) => {
    return [variable, api.deps.config.keys[purpose as keyof typeof keyVariables].toString('base64')];
  });
  const environment = { DATABASE_URL: api.databaseUrl, DATA_DIR: folder.path };
  return runUte({ ...Object.fromEntries(keys), ...environment }, 'retention', 'report', ...words);
}
