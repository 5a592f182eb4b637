import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { jobDecider } from '#core/job/job.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { requestedJob, slot, streamLength } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn();
});
afterAll(() => app.close());

/** As the log may hold it, whatever the time of day is: between two slots, and already begun. */
async function scheduledNow(jobId: string | undefined, businessId: string): Promise<void> {
  const at = new Date().toISOString();
  const data = { jobId: jobId ?? '', businessId, scheduledAt: at };
  const cause = { commandId: crypto.randomUUID(), actor: 'system', correlation: 'test' };
  const stream = streamName('job', data.jobId);
  await handleCommand(app.deps.store, jobDecider, stream, { type: 'ScheduleJob', at, data }, cause);
  await app.settle();
}

describe('answering a request', () => {
  test('accepting shows the contact, and the lists know at once', async () => {
    const id = await requestedJob(app, acme);
    const answer = await acme.put(`/api/jobs/${id}/accept`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-read-model')).toBeNull();
    expect(answer.body.job).toMatchObject({ id, status: 'To quote', phone: '+61491570156', revision: 1 });
    expect((await acme.get(`/api/jobs/${id}`)).body.job).toEqual(answer.body.job);
    const { jobs } = (await acme.get('/api/jobs?filter=To quote')).body;
    expect(jobs.map((job: { id: string }) => job.id)).toContain(id);
  });

  test('a rejected job hides the contact again and can be accepted after all', async () => {
    const id = await requestedJob(app, acme);
    const rejected = (await acme.put(`/api/jobs/${id}/reject`)).body.job;
    expect(rejected).toMatchObject({ status: 'Rejected' });
    expect(rejected).not.toHaveProperty('phone');
    expect((await acme.put(`/api/jobs/${id}/accept`)).body.job.status).toBe('To quote');
  });

  test('two accepts at once are one event, and both are answered with success', async () => {
    const id = await requestedJob(app, acme);
    const answers = await Promise.all(Array.from({ length: 8 }, () => acme.put(`/api/jobs/${id}/accept`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await streamLength(app, id)).toBe(2);
  });

  test('accepting and rejecting at once leaves one truth', async () => {
    const id = await requestedJob(app, acme);
    const [accepted, rejected] = await Promise.all([
      acme.put(`/api/jobs/${id}/accept`),
      acme.put(`/api/jobs/${id}/reject`),
    ]);
    expect(accepted?.status).toBe(200);
    expect([200, 409]).toContain(rejected?.status);
    expect((await acme.get(`/api/jobs/${id}`)).body.job.status).toBe('To quote');
  });

  test('an accepted job cannot be rejected', async () => {
    const id = await requestedJob(app, acme);
    await acme.put(`/api/jobs/${id}/accept`);
    const answer = await acme.put(`/api/jobs/${id}/reject`);
    expect(answer).toMatchObject({
      status: 409,
      body: { message: 'Only a pending job can be rejected', job: { id, status: 'To quote' } },
    });
  });
});

describe('changing a job', () => {
  test('notes, status and time change together', async () => {
    const id = await requestedJob(app, acme);
    await acme.put(`/api/jobs/${id}/accept`);
    const changes = {
      notes: 'Gate code 12',
      status: 'In progress',
      scheduledAt: slot(5, '09:30').replace('.000Z', '+00:00'),
    };
    const { job } = (await acme.put(`/api/jobs/${id}`, changes)).body;
    expect(job).toMatchObject({ ...changes, scheduledAt: slot(5, '09:30'), revision: 4 });
    const repeat = await acme.put(`/api/jobs/${id}`, changes);
    expect(repeat.body.job).toEqual(job);
    expect(await streamLength(app, id)).toBe(5);
  });

  test('an unsuccessful job leaves the schedule', async () => {
    const id = await requestedJob(app, acme);
    await acme.put(`/api/jobs/${id}/accept`);
    await acme.put(`/api/jobs/${id}`, { scheduledAt: slot(5, '09:30') });
    const { job } = (await acme.put(`/api/jobs/${id}`, { status: 'Unsuccessful', scheduledAt: null })).body;
    expect(job).toMatchObject({ status: 'Unsuccessful', scheduledAt: null });
  });

  test('a time that has passed stays, but no other job is moved there', async () => {
    const [first, second] = [await requestedJob(app, acme), await requestedJob(app, acme)];
    for (const id of [first, second]) await acme.put(`/api/jobs/${id}/accept`);
    await scheduledNow(first, acme.businessId);
    const { scheduledAt } = (await acme.get(`/api/jobs/${first}`)).body.job;
    const again = await acme.put(`/api/jobs/${first}`, { scheduledAt, notes: 'Was there' });
    expect(again.body.job).toMatchObject({ scheduledAt, notes: 'Was there' });
    expect((await acme.put(`/api/jobs/${second}`, { scheduledAt })).status).toBe(422);
  });

  test('what the status does not allow changes nothing at all', async () => {
    const id = await requestedJob(app, acme);
    const answer = await acme.put(`/api/jobs/${id}`, { notes: 'Kept?', status: 'Paid' });
    expect(answer).toMatchObject({ status: 409, body: { message: 'Accept the job to change its status' } });
    expect(await streamLength(app, id)).toBe(1);
    expect((await acme.put(`/api/jobs/${id}`, { notes: 'Ring first' })).body.job.notes).toBe('Ring first');
  });

  test.each([
    ['status', 'Pending'],
    ['status', 'Rejected'],
    ['status', 'paid'],
    ['scheduledAt', '2026-02-30T09:00:00Z'],
    ['scheduledAt', '2026-12-01'],
    ['scheduledAt', 'tomorrow'],
    ['scheduledAt', slot(5, '07:00')],
    ['scheduledAt', slot(5, '09:15')],
    ['scheduledAt', slot(-1, '09:30')],
    ['scheduledAt', 1_780_000_000],
    ['notes', 12],
  ])('%s %j is refused', async (field, value) => {
    const id = await requestedJob(app, acme);
    const answer = await acme.put(`/api/jobs/${id}`, { [field]: value });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(await streamLength(app, id)).toBe(1);
  });
});

test('two who look at the same revision do not overwrite each other', async () => {
  const id = await requestedJob(app, acme);
  expect((await acme.put(`/api/jobs/${id}`, { notes: 'Mine', revision: 0 })).status).toBe(200);
  const late = await acme.put(`/api/jobs/${id}`, { notes: 'Yours', revision: 0 });
  expect(late).toMatchObject({
    ...{ status: 409, body: { status: 'error', job: { id, notes: 'Mine', revision: 1 } } },
  });
  const answer = await acme.put(`/api/jobs/${id}/accept`, { revision: 0 });
  expect(answer.body.job).toMatchObject({ status: 'To quote', notes: 'Mine', revision: 2 });
});

test('what a tradie may not change is refused, and so are endless notes', async () => {
  const id = await requestedJob(app, acme);
  for (const body of [
    { email: 'new@example.com' },
    { revision: -1 },
    { businessId: 'x' },
    { notes: 'x'.repeat(5_001) },
  ]) {
    expect((await acme.put(`/api/jobs/${id}`, body)).status).toBe(422);
  }
  expect((await acme.put(`/api/jobs/${id}/accept`, { status: 'Paid' })).status).toBe(422);
  expect(await streamLength(app, id)).toBe(1);
});

test('a job that was just accepted is answered from its stream, even while lists are behind', async () => {
  const id = await requestedJob(app, acme);
  const { createApp } = await import('#api/app.ts');
  const readSide = { ...app.deps.readSide, waitFor: async () => 'behind' as const };
  const slow = createApp({ ...app.deps, readSide });
  const response = await slow.handle(
    new Request(`http://localhost/api/jobs/${id}/accept`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${acme.token}` },
    }),
  );
  expect(response.headers.get('x-read-model')).toBe('behind');
  expect(await response.json()).toMatchObject({ status: 'ok', job: { status: 'To quote' } });
});

test('counts follow the jobs', async () => {
  const fresh = await app.signIn();
  const [first] = [await requestedJob(app, fresh), await requestedJob(app, fresh)];
  expect((await fresh.get('/api/jobs/count')).body).toEqual({
    status: 'ok',
    count: { today: 0, new: 2, inProgress: 0, all: 2 },
    waiting: 2,
  });
  await fresh.put(`/api/jobs/${first}/accept`);
  await fresh.put(`/api/jobs/${first}`, { status: 'Quoted' });
  await scheduledNow(first, fresh.businessId);
  const { count, waiting } = (await fresh.get('/api/jobs/count')).body;
  expect(count).toEqual({ today: 1, new: 1, inProgress: 1, all: 2 });
  expect(waiting).toBe(1);
});

test('nothing of a job may be stored by a cache', async () => {
  const id = await requestedJob(app, acme);
  for (const path of ['/api/jobs', '/api/jobs/count', `/api/jobs/${id}`]) {
    expect((await acme.get(path)).headers.get('cache-control')).toBe('no-store');
  }
  expect((await acme.put(`/api/jobs/${id}/accept`)).headers.get('cache-control')).toBe('no-store');
});
