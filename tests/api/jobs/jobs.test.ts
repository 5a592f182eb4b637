import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { jobDecider } from '#core/job/decider.ts';
import { jobStatuses } from '#core/job/statuses.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aJobRequest, aNewJob, requestedJob } from '#tests/support/scenarios/job-requests.ts';
import { slot } from '#tests/support/scenarios/slots.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app?.close());

describe('jobs', () => {
  let acme: SignedIn;
  beforeAll(async () => {
    acme = await app.signIn();
  });

  /** As the log may hold it, whatever the time of day is: between two slots, and already begun. */
  async function scheduledNow(jobId: string | undefined, businessId: string): Promise<void> {
    const at = new Date().toISOString();
    const data = { jobId: jobId ?? '', businessId, scheduledAt: at };
    const cause = { commandId: crypto.randomUUID(), actor: 'system', correlation: 'test' };
    const stream = streamName('job', data.jobId);
    await handleCommand(app.deps.store, jobDecider, stream, { type: 'ScheduleJob', at, data }, cause);
    await app.settle();
  }

  const streamLength = async (id: string) => (await app.deps.store.readStream(`job-${id}`)).length;

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
      expect(await streamLength(id)).toBe(2);
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
      expect(await streamLength(id)).toBe(5);
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
      expect(await streamLength(id)).toBe(1);
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
      expect(await streamLength(id)).toBe(1);
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
    expect(await streamLength(id)).toBe(1);
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
    });
    await fresh.put(`/api/jobs/${first}/accept`);
    await fresh.put(`/api/jobs/${first}`, { status: 'Quoted' });
    await scheduledNow(first, fresh.businessId);
    const { count } = (await fresh.get('/api/jobs/count')).body;
    expect(count).toEqual({ today: 1, new: 1, inProgress: 1, all: 2 });
  });

  test('nothing of a job may be stored by a cache', async () => {
    const id = await requestedJob(app, acme);
    for (const path of ['/api/jobs', '/api/jobs/count', `/api/jobs/${id}`]) {
      expect((await acme.get(path)).headers.get('cache-control')).toBe('no-store');
    }
    expect((await acme.put(`/api/jobs/${id}/accept`)).headers.get('cache-control')).toBe('no-store');
  });
});

describe('jobs list', () => {
  let acme: SignedIn;
  const ids: string[] = [];
  beforeAll(async () => {
    acme = await app.signIn();
    for (const title of ['Blocked drain', 'Hot water 100%', 'Gutter_clean']) {
      ids.push(await requestedJob(app, acme, { title }));
    }
    await acme.put(`/api/jobs/${ids[0]}/accept`);
  });

  const list = async (query: Record<string, string>) => acme.get(`/api/jobs?${new URLSearchParams(query)}`);
  const titles = async (query: Record<string, string>) =>
    (await list(query)).body.jobs.map(({ title }: { title: string }) => title);

  test('the list is the newest first, and turns round', async () => {
    expect(await titles({})).toEqual(['Gutter_clean', 'Hot water 100%', 'Blocked drain']);
    expect(await titles({ sort: 'createdAt', dir: 'asc' })).toEqual([
      'Blocked drain',
      'Hot water 100%',
      'Gutter_clean',
    ]);
  });

  test('pages follow each other', async () => {
    expect(await titles({ limit: '2' })).toEqual(['Gutter_clean', 'Hot water 100%']);
    expect(await titles({ limit: '2', page: '2' })).toEqual(['Blocked drain']);
    const more = async (query: Record<string, string>) => (await list(query)).body.more;
    expect([await more({ limit: '2' }), await more({ limit: '2', page: '2' })]).toEqual([true, false]);
    expect([await more({ limit: '3' }), await more({ search: 'drain', limit: '1' })]).toEqual([false, false]);
    expect(await titles({ page: '500' })).toEqual([]);
  });

  test('page size 75 unless asked for another', async () => {
    const busy = await app.signIn();
    await Promise.all(Array.from({ length: 101 }, (_, n) => addedJob(busy.businessId, `Job ${n}`)));
    await app.settle();
    const pageOf = async (query: string) => (await busy.get(`/api/jobs?${query}`)).body.jobs.length;
    expect(await pageOf('')).toBe(75);
    expect(await pageOf('page=2')).toBe(26);
    expect(await pageOf('limit=100')).toBe(100);
  });

  test('a filter takes any statuses, or none', async () => {
    expect(await titles({ filter: 'To quote' })).toEqual(['Blocked drain']);
    expect(await titles({ filter: 'Pending,Rejected,To quote' })).toHaveLength(3);
    expect(await titles({ filter: '' })).toHaveLength(3);
    expect(await titles({ filter: 'today', sort: 's.date' })).toEqual([]);
  });

  test('a search takes its signs literally', async () => {
    expect(await titles({ search: 'drain' })).toEqual(['Blocked drain']);
    expect(await titles({ search: '100%' })).toEqual(['Hot water 100%']);
    expect(await titles({ search: 'r_c' })).toEqual(['Gutter_clean']);
    for (const search of ['%%%', '___', "'; drop table read.job_cards; --", '\\\\\\']) {
      expect((await list({ search })).body).toEqual({ status: 'ok', jobs: [], more: false });
    }
  });

  test('a search ends at a hundred characters', async () => {
    expect((await list({ search: 'x'.repeat(100) })).status).toBe(200);
    expect((await list({ search: 'x'.repeat(101) })).status).toBe(422);
  });

  test.each([
    ['page', '0'],
    ['page', '501'],
    ['page', '1.5'],
    ['page', '-1'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1e9'],
    ['search', 'ab'],
    ['dir', 'ASC'],
    ['sort', 's.date;drop table read.job_cards'],
    ['sort', 'created_at'],
    ['sort', 'toString'],
    ['filter', 'Pending,'],
    ['filter', 'pending'],
    ['filter', 'today,Pending'],
    ['filter', "Pending' or 'a'='a"],
    ['status', 'Pending'],
  ])('%s=%s is refused and not repeated', async (name, value) => {
    const answer = await list({ [name]: value });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ status: 'error', fields: {} });
    if (value.length > 4) expect(answer.text).not.toContain(value);
  });

  test('each parameter that is wrong says what it takes, and one that is none is refused', async () => {
    const { body } = await list({ page: '0', limit: '101', dir: 'up', filter: 'Paid,nope', status: 'Paid' });
    expect(body).toMatchObject({
      message: 'This list cannot be shown',
      fields: {
        page: 'A whole number from 1 to 500',
        limit: 'A whole number from 1 to 100',
        dir: 'asc or desc',
        filter: "Statuses with commas between, or 'today'",
        '*': 'Unknown parameter',
      },
    });
  });

  test.each(['tap, cold', '[tap]', '{"tap":1}'])('%s is searched for as it is', async (search) => {
    expect(await list({ search, filter: 'Pending,To quote' })).toMatchObject({
      status: 200,
      body: { jobs: [] },
    });
  });

  test('a parameter sent twice is refused', async () => {
    expect((await acme.get('/api/jobs?limit=1&limit=2')).status).toBe(400);
  });

  describe('whatever is asked', () => {
    const junk = fc.oneof(
      fc.string({ maxLength: 120 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('', '__proto__', 'null', '\0', '9'.repeat(30), "' or 1=1 --"),
    );
    const mostly = (valid: fc.Arbitrary<string>) =>
      fc.oneof({ arbitrary: valid, weight: 9 }, { arbitrary: junk, weight: 1 });
    const query = fc.record(
      {
        page: mostly(fc.integer({ min: 1, max: 500 }).map(String)),
        limit: mostly(fc.integer({ min: 1, max: 100 }).map(String)),
        search: mostly(fc.string({ minLength: 3, maxLength: 30 })),
        dir: mostly(fc.constantFrom('asc', 'desc')),
        sort: mostly(fc.constantFrom('createdAt', 'scheduledAt', 's.date')),
        filter: mostly(fc.subarray([...jobStatuses]).map((statuses) => statuses.join(','))),
      },
      { requiredKeys: [] },
    );

    test('the answer is a list or says what was wrong', async () => {
      let lists = 0;
      await fc.assert(
        fc.asyncProperty(query, async (asked) => {
          const { status, body } = await list(asked);
          expect([200, 400, 422]).toContain(status);
          expect(body.status).toBe(status === 200 ? 'ok' : 'error');
          if (status === 200) lists += 1;
        }),
        { numRuns: 300 },
      );
      expect(lists).toBeGreaterThan(90);
    });
  });

  /** A job typed in by hand, by the command alone. */
  async function addedJob(businessId: string, title: string): Promise<void> {
    const jobId = Bun.randomUUIDv7();
    const { name, email, phone, address } = aJobRequest();
    const location = { address, placeId: null, lat: null, lng: null };
    const data = { jobId, businessId, name, email, phone, title, location, notes: '', scheduledAt: null };
    const command = { type: 'AddJob', at: new Date().toISOString(), data } as const;
    const cause = { commandId: jobId, actor: 'import', correlation: 'test' };
    await handleCommand(app.deps.store, jobDecider, streamName('job', jobId), command, cause);
  }
});

describe('new job', () => {
  let acme: SignedIn;
  beforeAll(async () => {
    acme = await app.signIn();
  });

  const key = () => ({ 'idempotency-key': crypto.randomUUID() });
  const streamLength = async (id: string) => (await app.deps.store.readStream(`job-${id}`)).length;

  describe('a job that the tradie types in', () => {
    test('is to quote, with everything that was typed, and in the lists at once', async () => {
      const scheduledAt = slot(3, '09:30');
      const place = { placeId: 'place-1', lat: -37.77, lng: 144.96 };
      const answer = await acme.post('/api/jobs', aNewJob({ scheduledAt, ...place }), key());
      expect(answer.status).toBe(200);
      const { job } = answer.body;
      expect(job).toMatchObject({
        ...{ status: 'To quote', type: 'Consumer', title: 'Switchboard upgrade', notes: 'Key under the mat' },
        ...{
          name: 'Moana Rangi',
          email: 'moana@example.com',
          phone: '+61491570157',
          scheduledAt,
          revision: 0,
        },
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
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => acme.post('/api/jobs', body, headers)),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const ids = new Set(answers.map((answer) => answer.body.job.id));
      expect(ids.size).toBe(1);
      expect(await streamLength([...ids][0])).toBe(1);
      const other = await acme.post('/api/jobs', { ...body, name: 'Somebody else' }, headers);
      expect(other.status).toBe(422);
    });

    test('a key that was refused can be used for what was put right', async () => {
      const headers = key();
      expect(
        (await acme.post('/api/jobs', aNewJob({ scheduledAt: slot(-2, '09:30') }), headers)).status,
      ).toBe(422);
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
      expect(await same({ address: '7 weston street, brunswick vic 3056, australia' })).toEqual([
        ['address'],
      ]);
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
});
