import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { type JobCommand, jobDecider } from '#core/job/job.ts';
import { hidesContact, workingStatuses } from '#core/job/status/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { signLog } from '#tests/support/operations/record-recipes.ts';
import { aNewJob, requestedJob, slot } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
let now = new Date();
beforeAll(async () => {
  app = await testApp({ now: () => now });
  acme = await app.signIn();
});
afterAll(() => app.close());

const asItStood = (id: string, at: number | string, who = acme) => who.get(`/api/jobs/${id}?at=${at}`);

test('a job as it stood is what its change was answered with, for random histories', async () => {
  const change = fc.oneof(
    fc.constantFrom(...workingStatuses).map((status) => ({ status })),
    fc.string({ maxLength: 20 }).map((notes) => ({ notes })),
    fc.constantFrom(null, slot(3, '09:00'), slot(4, '10:30')).map((scheduledAt) => ({ scheduledAt })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      const answers = [(await acme.post('/api/jobs', aNewJob())).body.job];
      const { id } = answers[0];
      for (const one of changes) {
        const { status, body } = await acme.put(`/api/jobs/${id}`, one);
        if (status === 200) answers.push(body.job);
      }
      for (const job of answers) expect((await asItStood(id, job.revision)).body).toMatchObject({ job });
    }),
    { numRuns: 15 },
  );
});

test('contact that is withheld now is withheld in every state before', async () => {
  const id = await requestedJob(app, acme, { description: 'Ring 0491 570 156 first' });
  const { revision } = (await acme.put(`/api/jobs/${id}/accept`)).body.job;
  expect((await asItStood(id, revision)).text).toContain('570 156 first');
  expect((await asItStood(id, 0)).text).not.toContain('570 156');
  await acme.post(`/api/jobs/${id}/undo`, { revision });
  const then = await asItStood(id, revision);
  expect(then.body.job).toMatchObject({ status: 'To quote', revision });
  expect(hidesContact(then.body.job.status)).toBe(false);
  expect(then.body.job).not.toHaveProperty('phone');
  expect(then.text).not.toContain('570 156');
});

test('whom an erasure is about to remove is withheld in every state, and then gone from all', async () => {
  const id = await requestedJob(app, acme, { name: 'Aroha Tāwhiri', description: 'Behind the blue door' });
  const { revision } = (await acme.put(`/api/jobs/${id}/accept`)).body.job;
  const at = app.deps.now().toISOString();
  const give = (command: JobCommand) =>
    handleCommand(app.deps.store, jobDecider, streamName('job', id), command, {
      ...{ commandId: app.deps.newId(), actor: 'system', correlation: app.deps.newId() },
    });
  const data = { jobId: id, businessId: acme.businessId, erasureId: 'erasure-1' };
  await give({ type: 'PlanCustomerErasure', at, data: { ...data, dueAt: at } });
  expect((await asItStood(id, revision)).body.job).not.toHaveProperty('email');
  await give({ type: 'EraseCustomer', at, data });
  const then = await asItStood(id, revision);
  expect(then.body.job).toMatchObject({ status: 'To quote', name: 'Removed customer', revision });
  for (const text of ['Aroha', 'blue door', '@']) expect(then.text).not.toContain(text);
});

test('a state that never was, and a job of another business, are not found', async () => {
  const id = await requestedJob(app, acme);
  const rival = await app.signIn();
  expect((await asItStood(id, 0)).status).toBe(200);
  expect((await asItStood(id, 1)).status).toBe(404);
  expect((await asItStood(id, 0, rival)).status).toBe(404);
  for (const at of ['-1', 'x', '1.5', '9999999999']) expect((await asItStood(id, at)).status).toBe(422);
});

test('looking at how a job stood is no first look at it', async () => {
  const id = await requestedJob(app, acme);
  await asItStood(id, 0);
  expect(await app.deps.store.readStream(`job-${id}`)).toHaveLength(1);
});

describe('the board of a business', () => {
  let owner: SignedIn;
  beforeEach(async () => {
    owner = await app.signIn();
  });

  /** A moment by which all that happened before is counted, and after which all that comes follows. */
  async function moment(): Promise<string> {
    const at = now.toISOString();
    now = new Date(now.getTime() + 60_000);
    await app.settle();
    await signLog(app);
    return at;
  }
  const board = (at: string, query = '', who = owner) => who.get(`/api/jobs?at=${at}${query}`);
  const counts = async (at: string) => (await owner.get(`/api/jobs/count?at=${at}`)).body.count;

  test('stands as it did, with how many events the log had then', async () => {
    const empty = await moment();
    const id = await requestedJob(app, owner, { title: 'Leaking tap' });
    const asked = await moment();
    const size = (await app.deps.store.readAll('0', 10_000)).length;
    await owner.put(`/api/jobs/${id}/accept`);
    await owner.put(`/api/jobs/${id}`, { scheduledAt: slot(3, '09:00'), status: 'Quoted' });
    await requestedJob(app, owner, { title: 'Blocked drain' });
    const later = await moment();

    expect((await board(empty)).body).toMatchObject({ jobs: [], more: false });
    const { body } = await board(asked);
    expect(body.asAt).toEqual({ at: asked, size });
    expect(body.jobs).toEqual([
      expect.objectContaining({ id, status: 'Pending', scheduledAt: null, revision: 0 }),
    ]);
    expect(body.jobs[0]).not.toHaveProperty('phone');
    expect(await counts(asked)).toEqual({ today: 0, new: 1, inProgress: 0, all: 1 });
    const stood = (await board(later)).body.jobs;
    expect(stood.map(({ title, status }: JobCardView) => [title, status])).toEqual([
      ['Blocked drain', 'Pending'],
      ['Leaking tap', 'Quoted'],
    ]);
    expect(stood).toEqual((await owner.get('/api/jobs')).body.jobs);
    expect(await counts(later)).toEqual((await owner.get('/api/jobs/count')).body.count);
  });

  test('is filtered, ordered and paged as the lists are', async () => {
    for (const title of ['First', 'Second', 'Third']) {
      await owner.post('/api/jobs', aNewJob({ title }));
      now = new Date(now.getTime() + 1_000);
    }
    const [third] = (await owner.get('/api/jobs')).body.jobs;
    await owner.put(`/api/jobs/${third.id}`, { status: 'Completed' });
    const at = await moment();
    await owner.put(`/api/jobs/${third.id}`, { status: 'Paid' });
    const titles = async (query: string) =>
      (await board(at, query)).body.jobs.map(({ title }: JobCardView) => title);
    expect(await titles('&dir=asc')).toEqual(['First', 'Second', 'Third']);
    expect(await titles('&filter=To%20quote')).toEqual(['Second', 'First']);
    expect(await titles('&filter=Completed&sort=scheduledAt')).toEqual(['Third']);
    expect(await titles('&filter=Paid')).toEqual([]);
    expect(await titles('&filter=today')).toEqual([]);
    expect(await titles('&limit=1&page=3')).toEqual(['First']);
    expect([(await board(at, '&limit=2')).body.more, (await board(at, '&limit=3')).body.more]).toEqual([
      true,
      false,
    ]);
  });

  test('withholds what is withheld now, and shows of an erased customer nothing', async () => {
    const id = await requestedJob(app, owner, { name: 'Aroha Tāwhiri' });
    const { revision } = (await owner.put(`/api/jobs/${id}/accept`)).body.job;
    const accepted = await moment();
    expect((await board(accepted)).body.jobs[0]).toMatchObject({
      status: 'To quote',
      phone: expect.any(String),
    });
    now = new Date(now.getTime() - 30_000);
    expect((await owner.post(`/api/jobs/${id}/undo`, { revision })).status).toBe(200);
    await app.settle();
    const stood = (await board(accepted)).body.jobs[0];
    expect(stood).toMatchObject({ status: 'To quote', name: 'Aroha Tāwhiri' });
    expect(stood).not.toHaveProperty('phone');
    const at = now.toISOString();
    await handleCommand(
      app.deps.store,
      jobDecider,
      streamName('job', id),
      {
        type: 'EraseCustomer',
        at,
        data: { jobId: id, businessId: owner.businessId, erasureId: 'erasure-2' },
      },
      { commandId: app.deps.newId(), actor: 'system', correlation: app.deps.newId() },
    );
    await app.settle();
    const { text, body } = await board(accepted);
    expect(body.jobs[0]).toMatchObject({ id, status: 'To quote', name: 'Removed customer' });
    expect(text).not.toContain('Aroha');
  });

  test('is that of the own business alone', async () => {
    await requestedJob(app, owner);
    const at = await moment();
    const rival = await app.signIn();
    expect((await board(at, '', rival)).body.jobs).toEqual([]);
    expect((await rival.get(`/api/jobs/count?at=${at}`)).body.count).toMatchObject({ all: 0 });
  });

  test('is of a moment that has passed, and is not searched', async () => {
    const at = await moment();
    for (const bad of ['tomorrow', '2026-02-30T10:00:00Z', '2099-01-01T00:00:00Z', '']) {
      expect((await board(bad)).status).toBe(422);
      expect((await owner.get(`/api/jobs/count?at=${bad}`)).status).toBe(422);
    }
    expect((await board(at, '&search=water')).body).toMatchObject({
      fields: { search: 'Only in the jobs of now' },
    });
  });
});

test('a board is not answered before the log is counted', async () => {
  const fresh = await testApp();
  try {
    const owner = await fresh.signIn();
    const answer = await owner.get(`/api/jobs?at=${new Date(Date.now() - 1_000).toISOString()}`);
    expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining('not counted') } });
  } finally {
    await fresh.close();
  }
});
