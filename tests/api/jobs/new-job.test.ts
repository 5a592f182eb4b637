import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aNewJob, requestedJob, slot, streamLength } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn();
});
afterAll(() => app.close());

const key = () => ({ 'idempotency-key': crypto.randomUUID() });

describe('a job that the tradie types in', () => {
  test('is to quote, with everything that was typed, and in the lists at once', async () => {
    const scheduledAt = slot(3, '09:30');
    const place = { placeId: 'place-1', lat: -37.77, lng: 144.96 };
    const answer = await acme.post('/api/jobs', aNewJob({ scheduledAt, ...place }), key());
    expect(answer.status).toBe(200);
    const { job } = answer.body;
    expect(job).toMatchObject({
      ...{ status: 'To quote', type: 'Consumer', title: 'Switchboard upgrade', notes: 'Key under the mat' },
      ...{ name: 'Moana Rangi', email: 'moana@example.com', phone: '+61491570157', scheduledAt, revision: 0 },
      location: { address: '7 Weston Street, Brunswick VIC 3056, Australia', ...place },
    });
    expect((await acme.get(`/api/jobs/${job.id}`)).body.job).toEqual(job);
    const { jobs } = (await acme.get('/api/jobs?filter=Pending,Rejected,To quote')).body;
    expect(jobs.map(({ id }: { id: string }) => id)).toContain(job.id);
  });

  test('needs neither a title nor a time nor notes', async () => {
    const { title: _t, notes: _n, scheduledAt: _s, ...least } = aNewJob();
    const { job } = (await acme.post('/api/jobs', least)).body;
    expect(job).toMatchObject({ title: 'Job for Moana Rangi', notes: '', scheduledAt: null });
  });

  test('is made once, however often it is sent with its key', async () => {
    const [body, headers] = [aNewJob({ title: crypto.randomUUID() }), key()];
    const answers = await Promise.all(Array.from({ length: 4 }, () => acme.post('/api/jobs', body, headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const ids = new Set(answers.map((answer) => answer.body.job.id));
    expect(ids.size).toBe(1);
    expect(await streamLength(app, [...ids][0])).toBe(1);
    const other = await acme.post('/api/jobs', { ...body, name: 'Somebody else' }, headers);
    expect(other.status).toBe(422);
  });

  test('is another job than a request whose customer happened upon its key', async () => {
    const headers = key();
    const requested = await requestedJob(app, acme, {}, headers);
    const { status, body } = await acme.post('/api/jobs', aNewJob(), headers);
    expect(status).toBe(200);
    expect(body.job.id).not.toBe(requested);
  });

  test('a key that was refused can be used for what was put right', async () => {
    const headers = key();
    expect((await acme.post('/api/jobs', aNewJob({ scheduledAt: slot(-2, '09:30') }), headers)).status).toBe(
      422,
    );
    expect((await acme.post('/api/jobs', aNewJob(), headers)).status).toBe(200);
  });

  test.each([
    ['name', ' ', 'Full name is required'],
    ['email', 'moana@', 'Enter a valid email address'],
    ['phone', '03 9999 9999', 'Enter an Australian or New Zealand mobile number'],
    ['address', '', 'Job address is required'],
    ['title', 'x'.repeat(101), 'Use at most 100 characters'],
    ['notes', 'x'.repeat(5_001), 'Use at most 5000 characters'],
    ['scheduledAt', 'tomorrow', 'Choose a day and a time'],
    ['scheduledAt', slot(3, '09:40'), 'Choose a time from 8:00AM to 5:30PM, on the hour or half past'],
    ['scheduledAt', slot(3, '18:00'), 'Choose a time from 8:00AM to 5:30PM, on the hour or half past'],
    ['scheduledAt', slot(3, '07:30'), 'Choose a time from 8:00AM to 5:30PM, on the hour or half past'],
    ['scheduledAt', slot(-1, '17:30'), 'Choose a time from now on'],
    ['scheduledAt', slot(800, '09:30'), 'Choose a day within the next two years'],
  ])('%s %j is refused with its message', async (field, value, message) => {
    const head = await app.deps.store.head();
    const answer = await acme.post('/api/jobs', aNewJob({ [field]: value }), key());
    expect(answer).toMatchObject({ status: 422, body: { fields: { [field]: message } } });
    expect(await app.deps.store.head()).toBe(head);
  });

  test.each([
    [{ lat: -37.77 }, 'lng'],
    [{ lng: 144.96, lat: null }, 'lat'],
  ])('a place with %j alone is refused', async (half, field) => {
    const answer = await acme.post('/api/jobs', aNewJob(half), key());
    const fields = { [field]: 'Send lat and lng together, or neither' };
    expect(answer).toMatchObject({ status: 422, body: { fields } });
  });

  test.each([
    { status: 'Paid' },
    { type: 'WorkOrder' },
    { id: 'x' },
    { businessId: 'x' },
    { isUrgent: true },
  ])('no tradie sends %j of their own', async (field) => {
    expect((await acme.post('/api/jobs', { ...aNewJob(), ...field }, key())).status).toBe(422);
  });

  test('belongs to the business of the session alone', async () => {
    const other = await app.signIn();
    const { job } = (await acme.post('/api/jobs', aNewJob(), key())).body;
    expect((await other.get(`/api/jobs/${job.id}`)).status).toBe(404);
    expect((await app.post('/api/jobs', aNewJob())).status).toBe(403);
  });
});

describe('hints', () => {
  const hints = async (client: SignedIn, query: Record<string, string>) =>
    (await client.get(`/api/jobs/hints?${new URLSearchParams(query)}`)).body.hints;
  const ids = (list: { id: string }[]) => list.map(({ id }) => id);

  test('name what overlaps, less than 30 minutes away, before and after saving', async () => {
    const fresh = await app.signIn();
    const { job } = (await fresh.post('/api/jobs', aNewJob({ scheduledAt: slot(5, '10:00') }))).body;
    const at = async (time: string) => ids((await hints(fresh, { scheduledAt: slot(5, time) })).overlaps);
    expect(await at('10:00')).toEqual([job.id]);
    expect([await at('09:30'), await at('10:30')]).toEqual([[], []]);
    expect(await hints(fresh, { scheduledAt: slot(5, '10:00'), except: job.id })).toEqual({
      ...{ overlaps: [], repeats: [] },
    });
    const second = await fresh.post('/api/jobs', aNewJob({ scheduledAt: slot(5, '10:00') }));
    expect(second.status).toBe(200);
    expect(second.body.hints.overlaps).toEqual([
      ...[
        { id: job.id, title: job.title, name: job.name, status: 'To quote', scheduledAt: slot(5, '10:00') },
      ],
    ]);
    expect(ids((await hints(acme, { scheduledAt: slot(5, '10:00') })).overlaps)).not.toContain(job.id);
  });

  test('name the jobs of the last 30 days with the same phone, email or address', async () => {
    const fresh = await app.signIn();
    const { job } = (await fresh.post('/api/jobs', aNewJob())).body;
    const same = async (query: Record<string, string>) =>
      (await hints(fresh, query)).repeats.map((one: { same: string[] }) => one.same);
    expect(await same({ phone: '+61 491 570 157' })).toEqual([['phone']]);
    expect(await same({ email: 'MOANA@example.com ' })).toEqual([['email']]);
    expect(await same({ address: '7 weston street, brunswick vic 3056, australia' })).toEqual([['address']]);
    expect(await same({ phone: '0491 570 157', email: 'moana@example.com' })).toEqual([['phone', 'email']]);
    expect(await same({ phone: '0491', email: 'moana@', address: '7 Weston' })).toEqual([]);
    const again = (await fresh.post('/api/jobs', aNewJob())).body.hints.repeats;
    expect(again).toEqual([expect.objectContaining({ id: job.id, same: ['phone', 'email', 'address'] })]);
  });

  test('do not tell that a withheld contact is the same, only that the address is', async () => {
    const fresh = await app.signIn();
    const id = await requestedJob(app, fresh, { phone: '0491 570 006', email: 'hidden@example.com' });
    const { name, email, phone, address } = {
      ...aNewJob(),
      phone: '0491570006',
      email: 'hidden@example.com',
      address: 'x',
    };
    expect((await hints(fresh, { name, email, phone, address })).repeats).toEqual([]);
    const [repeat] = (await hints(fresh, { phone, address: '22/140 Lygon St, Brunswick East VIC 3057' }))
      .repeats;
    expect(repeat).toMatchObject({ id, same: ['address'] });
    await fresh.put(`/api/jobs/${id}/accept`);
    expect((await hints(fresh, { phone })).repeats).toMatchObject([{ id, same: ['phone'] }]);
  });
});
