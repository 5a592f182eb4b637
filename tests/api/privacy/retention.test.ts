import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listErasures } from '#api/privacy/erasures.ts';
import { findOverdueJobs, mostOfARun, retainNightly, runRetention } from '#api/privacy/retention/run.ts';
import { keyVariables } from '#api/runtime/config/keys.ts';
import type { BusinessCommand } from '#core/business/commands.ts';
import { businessDecider } from '#core/business/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { JobEvent } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { erasing, forgetCustomers } from '#tests/support/scenarios/erasing.ts';
import { aNewJob, requestedJob } from '#tests/support/scenarios/job-requests.ts';

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
  await forgetCustomers(erasing(api).deps, acme, [removed]);
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
    revision: 1,
  });
});

const counted = [
  'never accepted, no change for 12 months: 1 job\n',
  'worked on, no change for 7 years, or the 5 to 10 that the business chose: 1 job\n',
].join('');

test('the command reports by ids alone, and changes nothing', async () => {
  const head = await api.deps.store.head();
  expect(await report()).toEqual({
    out: counted,
    ...{ err: '', code: 0 },
  });
  const { out } = await report('--json');
  expect(JSON.parse(out)).toHaveLength(2);
  expect(out).not.toMatch(/example|Moana/);
  expect(await api.deps.store.head()).toEqual(head);
});

test('a business chooses 5 to 10 years, which is an event, and counts for its jobs', async () => {
  acme = { ...acme, ...(await signedInAgain()) };
  expect((await acme.get('/api/settings/retention')).body.retention).toEqual({
    years: 7,
    least: 5,
    most: 10,
  });
  for (const years of [4, 11, 6.5, '7']) {
    const refused = await acme.put('/api/settings/retention', { years });
    expect(refused.status, String(years)).toBe(422);
  }
  expect((await acme.put('/api/settings/retention', { years: 10 })).body.retention.years).toBe(10);
  await acme.put('/api/settings/retention', { years: 10 });
  const events = await api.deps.store.readStream(streamName('business', acme.businessId));
  expect(events.filter(({ type }) => type === 'RetentionPeriodChanged')).toHaveLength(1);
  expect(await overdue('2024-08-21T00:00:00.000Z')).toMatchObject([{ rule: 'never-accepted' }]);
  expect(await overdue('2027-08-21T00:00:00.000Z')).toHaveLength(2);
  await acme.put('/api/settings/retention', { years: 5 });
  expect(await overdue('2022-08-21T00:00:00.000Z')).toHaveLength(2);
});

test('a business on hold is left out while the hold lasts', async () => {
  const { businessId } = acme;
  const give = async (type: 'PlaceBusinessHold' | 'EndBusinessHold', data = {}) => {
    const command = { type, at: now.toISOString(), data: { businessId, ...data } } as BusinessCommand;
    const cause = { commandId: crypto.randomUUID(), actor: 'system', correlation: 'test' };
    await handleCommand(api.deps.store, businessDecider, streamName('business', businessId), command, cause);
  };
  await give('PlaceBusinessHold', { until: '2018-08-01T00:00:00.000Z', reason: 'Court' });
  expect(await overdue('2018-07-31T00:00:00.000Z')).toEqual([]);
  expect(await overdue('2018-08-01T00:00:00.000Z')).toHaveLength(1);
  await give('EndBusinessHold');
  expect(await overdue('2018-07-31T00:00:00.000Z')).toHaveLength(1);
});

describe('the run of a night', () => {
  const planned = async () =>
    (await listErasures(api.everyRow)).filter(({ basis }) => basis === 'retention').length;
  const run = (at: string, { acts = true, most = mostOfARun } = {}) => {
    const { deps } = erasing(api, { now: () => new Date(at) });
    return runRetention(deps, { acts, night: at.slice(0, 10), most });
  };

  test('only reports at first, then asks for removals, once a night and never twice for a job', async () => {
    const found = { 'never-accepted': 1, 'worked-on': 1 };
    expect(await run('2022-09-01T15:00:00.000Z')).toEqual({ found, requested: 0, isReport: true });
    expect(await run('2022-09-01T15:01:00.000Z')).toBeNull();
    expect(await planned()).toBe(0);
    expect(await run('2022-09-02T15:00:00.000Z', { acts: false })).toMatchObject({
      requested: 0,
      isReport: true,
    });
    expect(await run('2022-09-03T15:00:00.000Z')).toMatchObject({ requested: 2, isReport: false });
    await api.settle();
    expect(await planned()).toBe(2);
    expect(await run('2022-09-04T15:00:00.000Z')).toMatchObject({ requested: 0 });
    const [erasure] = (await listErasures(api.everyRow)).filter(({ basis }) => basis === 'retention');
    // The grace of seven days, in which the business can take it back.
    expect(erasure).toMatchObject({ status: 'requested', scope: 'jobs' });
    expect(erasure?.dueAt.toISOString()).toBe('2022-09-10T15:00:00.000Z');
  });

  test('asks for a thousand removals at most, counts what is left, and the next night goes on', async () => {
    expect(mostOfARun).toBe(1_000);
    const most = 10;
    const jobId = await requestedJob(api, acme, { email: 'many@example.com' });
    const [first] = await api.deps.store.readStream(streamName('job', jobId));
    const event = first?.event as JobEvent<'JobRequested'>;
    const cause = { actor: 'customer', correlation: 'test', at: begin.toISOString() };
    const request = () => {
      const id = crypto.randomUUID();
      const copy = { ...event, data: { ...event.data, jobId: id, requestedAt: begin.toISOString() } };
      const stream = streamName('job', id);
      return api.deps.store.append(stream, 'no-stream', [{ id, event: copy }], { ...cause, causation: id });
    };
    await Promise.all(Array.from({ length: most }, request));
    await api.settle();
    const { deps } = erasing(api, { now: () => new Date('2022-10-01T15:00:00.000Z') });
    const whole = await Array.fromAsync(findOverdueJobs(deps));
    expect(whole).toHaveLength(most + 1);
    for (const page of [1, 4, most + 1])
      expect(await Array.fromAsync(findOverdueJobs(deps, undefined, page))).toEqual(whole);
    const all = { 'never-accepted': most + 1, 'worked-on': 0 };
    expect(await run('2022-10-01T15:00:00.000Z', { most })).toMatchObject({ found: all, requested: most });
    await api.settle();
    expect(await run('2022-10-02T15:00:00.000Z', { most })).toMatchObject({ requested: 1 });
  });

  test('begins at night, and not where RETENTION is off', async () => {
    const nights = async () => (await api.everyRow.query('select from state.retention_runs')).rowCount;
    const before = await nights();
    const nightly = (at: string, mode: 'on' | 'off') => {
      const { deps } = erasing(api, { now: () => new Date(at) });
      return retainNightly({ ...deps, config: { ...api.deps.config, retention: mode } });
    };
    await nightly('2022-09-05T14:59:59.000Z', 'on');
    await nightly('2022-09-05T16:00:00.000Z', 'off');
    expect(await nights()).toBe(before);
    await nightly('2022-09-05T16:00:00.000Z', 'on');
    await nightly('2022-09-05T16:01:00.000Z', 'on');
    expect(await nights()).toBe((before ?? 0) + 1);
  });

  test('is made by a command too, which says what it did', async () => {
    expect((await retention({}, 'run')).out).toContain('nothing was asked for: RETENTION is report');
    expect(await retention({ RETENTION: 'off' }, 'run')).toEqual({
      ...{ out: '', err: 'RETENTION is off: nothing was looked for.\n', code: 1 },
    });
    expect((await retention({ RETENTION: 'on' }, 'run')).out).toContain('removals asked for: 0');
  });
});

async function signedInAgain() {
  const { email, password } = acme;
  const { token } = (await api.post('/api/authenticate/login', { email, password })).body;
  return { ...api.as({ authorization: `Bearer ${token}` }), token };
}

const report = (...words: string[]) => retention({}, 'report', ...words);

function retention(more: Record<string, string>, ...words: string[]) {
  const keys = Object.entries(keyVariables).map(([purpose, variable]) => {
    return [variable, api.deps.config.keys[purpose as keyof typeof keyVariables].toString('base64')];
  });
  const environment = { DATABASE_URL: api.databaseUrl, DATA_DIR: folder.path };
  return runUte({ ...Object.fromEntries(keys), ...environment, ...more }, 'retention', ...words);
}
