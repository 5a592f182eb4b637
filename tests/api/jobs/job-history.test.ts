import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handleCommand } from '#core/event-store/handle-command.ts';
import type { JobCommand } from '#core/job/commands.ts';
import { jobDecider } from '#core/job/decider.ts';
import { hidesContact, workingStatuses } from '#core/job/statuses.ts';
import type { JobCardView } from '#core/job/view.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { signLog } from '#tests/support/operations/record-recipes.ts';
import { aNewJob, requestedJob } from '#tests/support/scenarios/job-requests.ts';
import { slot } from '#tests/support/scenarios/slots.ts';

describe('job history', () => {
  let app: TestApp;
  let acme: SignedIn;
  /** How far the API's clock is ahead of the wall's. */
  let ahead = 0;
  beforeAll(async () => {
    app = await testApp({ now: () => new Date(Date.now() + ahead) });
    acme = await app.signIn();
  });
  afterAll(() => app.close());

  const undo = (id: string, revision: number) => acme.post(`/api/jobs/${id}/undo`, { revision });
  const history = async (id: string) => (await acme.get(`/api/jobs/${id}/history`)).body.history;
  const streamLength = async (id: string) => (await app.deps.store.readStream(`job-${id}`)).length;

  describe('undo', () => {
    test.each(['accept', 'reject'])(
      'of %s returns to the status before, and hides the contact again',
      async (answer) => {
        const id = await requestedJob(app, acme);
        const { job } = (await acme.put(`/api/jobs/${id}/${answer}`)).body;
        const undone = await undo(id, job.revision);
        expect(undone.status).toBe(200);
        expect(undone.body.job).toMatchObject({ status: 'Pending', revision: 2 });
        expect(undone.body.job).not.toHaveProperty('phone');
        expect((await acme.get(`/api/jobs/${id}`)).body.job).toEqual(undone.body.job);
        expect((await undo(id, job.revision)).body.job).toEqual(undone.body.job);
        expect(await streamLength(id)).toBe(3);
      },
    );

    test('of one call takes back all that it changed', async () => {
      const { job: before } = (await acme.post('/api/jobs', aNewJob({ scheduledAt: slot(4, '10:00') }))).body;
      const changes = { status: 'Unsuccessful', notes: 'Went elsewhere', scheduledAt: null };
      const { job } = (await acme.put(`/api/jobs/${before.id}`, changes)).body;
      const undone = (await undo(before.id, job.revision)).body.job;
      expect(undone).toEqual({ ...before, revision: undone.revision });
    });

    test('of notes takes back all their savings at once, and nothing else', async () => {
      const { job: before } = (await acme.post('/api/jobs', aNewJob())).body;
      const first = (await acme.put(`/api/jobs/${before.id}`, { notes: 'Ring' })).body.job;
      await acme.put(`/api/jobs/${before.id}`, { status: 'Quoted' });
      const last = (await acme.put(`/api/jobs/${before.id}`, { notes: 'Ring first' })).body.job;
      const body = { revision: last.revision, since: first.revision };
      const undone = (await acme.post(`/api/jobs/${before.id}/undo`, body)).body.job;
      expect(undone).toEqual({ ...before, status: 'Quoted', revision: undone.revision });
      const amiss = await acme.post(`/api/jobs/${before.id}/undo`, { ...body, since: first.revision + 1 });
      expect(amiss).toMatchObject({ status: 409, body: { message: 'There is nothing to undo' } });
    });

    test('is refused once the same part changed again, and shows what stands', async () => {
      const { job: before } = (await acme.post('/api/jobs', aNewJob())).body;
      const first = (await acme.put(`/api/jobs/${before.id}`, { notes: 'one' })).body.job;
      await acme.put(`/api/jobs/${before.id}`, { notes: 'two' });
      const late = await undo(before.id, first.revision);
      expect(late).toMatchObject({ status: 409, body: { status: 'error', job: { notes: 'two' } } });
    });

    test('of reopening a job is refused once it was put on the schedule since', async () => {
      const { job: before } = (await acme.post('/api/jobs', aNewJob())).body;
      await acme.put(`/api/jobs/${before.id}`, { status: 'Unsuccessful' });
      const reopened = (await acme.put(`/api/jobs/${before.id}`, { status: 'Quoted' })).body.job;
      const scheduledAt = slot(4, '10:00');
      await acme.put(`/api/jobs/${before.id}`, { scheduledAt });
      const refused = await undo(before.id, reopened.revision);
      expect(refused).toMatchObject({ status: 409, body: { job: { status: 'Quoted' } } });
      expect(new Date(refused.body.job.scheduledAt)).toEqual(new Date(scheduledAt));
    });

    test('is refused after a minute', async () => {
      const id = await requestedJob(app, acme);
      const { job } = (await acme.put(`/api/jobs/${id}/accept`)).body;
      ahead = 61_000;
      try {
        expect(await undo(id, job.revision)).toMatchObject({
          ...{ status: 409, body: { message: 'It is too late to undo this' } },
        });
      } finally {
        ahead = 0;
      }
    });

    test('is only for what the same person did', async () => {
      const id = await requestedJob(app, acme);
      expect(await undo(id, 0)).toMatchObject({
        ...{ status: 409, body: { message: 'Only who made a change can undo it' } },
      });
      expect((await undo(id, 9)).status).toBe(409);
    });

    test.each([
      {},
      { revision: -1 },
      { revision: 1.5 },
      { revision: '1' },
      { revision: 1, part: 'notes' },
      { revision: 1, since: 'start' },
    ])('%j is refused', async (body) => {
      const id = await requestedJob(app, acme);
      expect((await acme.post(`/api/jobs/${id}/undo`, body)).status).toBe(422);
    });
  });

  describe('the history', () => {
    test('says who did what and when, newest first', async () => {
      const id = await requestedJob(app, acme);
      await acme.put(`/api/jobs/${id}/accept`);
      await acme.put(`/api/jobs/${id}`, { scheduledAt: slot(4, '10:00') });
      const { job } = (await acme.put(`/api/jobs/${id}`, { notes: 'Ring first' })).body;
      await undo(id, job.revision);
      const you = { kind: 'you', name: expect.any(String) };
      expect(await history(id)).toMatchObject([
        { what: 'notes', from: 'Ring first', to: '', undo: true, who: you, revision: 4 },
        { what: 'notes', from: '', to: 'Ring first', undo: false, text: 'You wrote notes' },
        { what: 'schedule', from: null, to: slot(4, '10:00'), who: you },
        { what: 'accepted', from: 'Pending', to: 'To quote', text: 'You accepted the job' },
        {
          what: 'requested',
          who: { kind: 'customer', name: 'Aroha Tāwhiri' },
          text: 'Aroha Tāwhiri asked for this job',
        },
      ]);
      for (const { at } of await history(id)) expect(Date.now() - Date.parse(at)).toBeLessThan(60_000);
    });

    test('says that the contact was seen, once an acceptance is taken back', async () => {
      const id = await requestedJob(app, acme);
      const { job } = (await acme.put(`/api/jobs/${id}/accept`)).body;
      await undo(id, job.revision);
      expect((await history(id)).map(({ text }: { text: string }) => text)).toEqual([
        'You undid a change: changed the status from To quote to Pending',
        'You saw the contact details while the job was accepted',
        'You accepted the job',
        'Aroha Tāwhiri asked for this job',
      ]);
    });

    test('gives no contact away, whatever the status', async () => {
      const [email, phone] = ['marker.history@example.com', '0491570123'];
      const id = await requestedJob(app, acme, { email, phone });
      for (const step of ['reject', 'accept']) {
        await acme.put(`/api/jobs/${id}/${step}`);
        expect((await acme.get(`/api/jobs/${id}/history`)).text).not.toMatch(/marker|491570123/);
      }
    });

    test('tells that a message to the customer was opened, which changes nothing else', async () => {
      const { job } = (await acme.post('/api/jobs', aNewJob())).body;
      const answer = await acme.post(`/api/jobs/${job.id}/messages`, { kind: 'running-late' });
      expect(answer.body.job).toEqual({ ...job, revision: 1 });
      expect((await history(job.id))[0]).toMatchObject({
        text: 'You opened a message: Running late',
        to: 'running-late',
      });
      expect((await acme.post(`/api/jobs/${job.id}/messages`, { kind: 'hello' })).status).toBe(422);
    });

    test('a customer whose contact is withheld cannot be messaged', async () => {
      const id = await requestedJob(app, acme);
      expect(await acme.post(`/api/jobs/${id}/messages`, { kind: 'on-my-way' })).toMatchObject({
        ...{
          status: 409,
          body: { message: 'Accept the job to message the customer', job: { status: 'Pending' } },
        },
      });
    });
  });

  describe('a long history', () => {
    type Entry = { revision: number; what: string; to: string };
    const page = async (id: string, query = '') => (await acme.get(`/api/jobs/${id}/history${query}`)).body;

    async function withNotes(count: number, text: (n: number) => string): Promise<string> {
      const { job } = (await acme.post('/api/jobs', aNewJob())).body;
      for (let n = 1; n <= count; n += 1) {
        const answer = await acme.put(`/api/jobs/${job.id}`, { notes: text(n) });
        expect(answer.status).toBe(200);
      }
      return job.id;
    }

    test('comes in pages of fifty entries, each once, newest first', async () => {
      const id = await withNotes(120, (n) => `Note ${n}`);
      const seen: Entry[] = [];
      const sizes: number[] = [];
      let next: number | null = null;
      do {
        const answer: { history: Entry[]; next: number | null } = await page(
          id,
          next === null ? '' : `?before=${next}`,
        );
        seen.push(...answer.history);
        sizes.push(answer.history.length);
        next = answer.next;
      } while (next !== null);
      expect(sizes).toEqual([50, 50, 21]);
      expect(seen.map(({ revision }) => revision)).toEqual(Array.from({ length: 121 }, (_, n) => 120 - n));
      expect(seen.at(-1)?.what).toBe('added');
    });

    test('comes in smaller pages where notes are long', async () => {
      const id = await withNotes(14, (n) => String(n).padEnd(5_000, '.'));
      const { history: first, next } = await page(id);
      expect(first.length).toBeLessThan(14);
      expect(JSON.stringify(first).length).toBeLessThan(130_000);
      const { history: rest } = await page(id, `?before=${next}`);
      expect(first.length + rest.length).toBe(15);
    });

    test('keeps what one change led to on one page', async () => {
      const { job } = (await acme.post('/api/jobs', aNewJob({ scheduledAt: slot(4, '10:00') }))).body;
      await acme.put(`/api/jobs/${job.id}`, { status: 'Unsuccessful' });
      for (let n = 1; n <= 48; n += 1) await acme.put(`/api/jobs/${job.id}`, { notes: `Note ${n}` });
      const { history: first, next } = await page(job.id);
      const moved = first.filter(({ revision }: Entry) => revision === 1);
      expect(moved.map(({ what }: Entry) => what)).toEqual(['schedule', 'status']);
      const { history: rest } = await page(job.id, `?before=${next}`);
      expect(rest.map(({ what }: Entry) => what)).toEqual(['added']);
    });

    test('has nothing before its beginning, and refuses what is no revision', async () => {
      const id = await withNotes(1, () => 'One');
      expect(await page(id, '?before=0')).toMatchObject({ history: [], next: null });
      for (const query of ['?before=x', '?before=-1', '?before=', '?after=1'])
        expect((await acme.get(`/api/jobs/${id}/history${query}`)).status).toBe(422);
    });

    test('is described', async () => {
      const { paths } = (await app.get('/api/openapi')).body;
      const { description, parameters } = paths['/api/jobs/{id}/history'].get;
      expect(description).toContain('at most 50 entries');
      expect(parameters.map(({ name }: { name: string }) => name)).toContain('before');
    });
  });
});

describe('job as it stood', () => {
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
      expect(answer).toMatchObject({
        status: 503,
        body: { message: expect.stringContaining('not counted') },
      });
    } finally {
      await fresh.close();
    }
  });
});

describe('job schedule', () => {
  let app: TestApp;
  let acme: SignedIn;
  let ahead = 0;
  beforeAll(async () => {
    app = await testApp({ now: () => new Date(Date.now() + ahead) });
    acme = await app.signIn();
  });
  afterAll(() => app.close());

  const date = (days: number) =>
    Temporal.Now.zonedDateTimeISO('Australia/Melbourne').toPlainDate().add({ days }).toString();
  const add = async (scheduledAt: string) =>
    (await acme.post('/api/jobs', aNewJob({ scheduledAt }))).body.job;
  const schedule = async (query = '') => (await acme.get(`/api/jobs/schedule${query}`)).body;

  test('shows the days that have jobs, how many, and their cards in order', async () => {
    const [late, early, next] = [
      await add(slot(2, '15:00')),
      await add(slot(2, '09:00')),
      await add(slot(3, '08:00')),
    ];
    const body = await schedule(`?from=${date(2)}&to=${date(3)}`);
    expect(body).toMatchObject({ today: date(0), timeZone: 'Australia/Melbourne', more: false });
    expect(body.days).toEqual([
      { date: date(2), count: 2 },
      { date: date(3), count: 1 },
    ]);
    expect(body.jobs.map(({ id }: { id: string }) => id)).toEqual([early.id, late.id, next.id]);
    expect((await schedule(`?from=${date(2)}&to=${date(2)}`)).days).toEqual([{ date: date(2), count: 2 }]);
    expect((await schedule()).days).toEqual(body.days);
    expect((await schedule('?ahead=3')).days).toEqual([{ date: date(2), count: 2 }]);
    expect((await schedule('?limit=2&page=2')).jobs).toMatchObject([{ id: next.id }]);
    expect(await schedule('?page=2')).toMatchObject({ days: body.days, jobs: [], more: false });
  });

  test('keeps at hand what its day went by without', async () => {
    const job = await add(slot(1, '08:00'));
    expect((await schedule()).overdue.count).toBe(0);
    ahead = 2 * 86_400_000;
    try {
      const { token } = (
        await app.post('/api/authenticate/login', { email: acme.email, password: acme.password })
      ).body;
      const later = app.as({ authorization: `Bearer ${token}` });
      const overdue = async () => (await later.get('/api/jobs/schedule')).body.overdue;
      expect(await overdue()).toMatchObject({ count: 1, jobs: [{ id: job.id, status: 'To quote' }] });
      await later.put(`/api/jobs/${job.id}`, { status: 'Completed' });
      expect(await overdue()).toEqual({ count: 0, jobs: [] });
    } finally {
      ahead = 0;
    }
  });

  describe('days that cannot be shown', () => {
    test.each([
      `?from=${date(0)}`,
      `?from=${date(1)}&to=${date(0)}`,
      `?from=${date(0)}&to=${date(180)}`,
      '?from=2026-02-30&to=2026-03-01',
      '?from=tomorrow&to=2026-03-01',
      `?from=${date(0)}&to=${date(1)}&status=Paid`,
      `?from=${date(0)}&to=${date(1)}&ahead=2`,
      ...['?ahead=0', '?ahead=181', '?ahead=two', '?page=0', '?page=201', '?page=1.5', '?limit=501'],
    ])('%s', async (query) => {
      expect((await acme.get(`/api/jobs/schedule${query}`)).status).toBe(422);
    });

    test('are named with what they may be', async () => {
      const { body } = await acme.get(`/api/jobs/schedule?from=${date(1)}&to=${date(0)}`);
      const days = 'Two days as YYYY-MM-DD, at most 180 days in all';
      expect(body).toMatchObject({ message: 'These days cannot be shown', fields: { from: days, to: days } });
      const { fields } = (await acme.get('/api/jobs/schedule?page=0&ahead=181')).body;
      expect(fields).toEqual({
        page: 'From 1 to 200',
        ahead: 'From 1 to 180 days from today on, without other days',
      });
    });

    test('are no 180 of them', async () => {
      expect((await acme.get(`/api/jobs/schedule?from=${date(0)}&to=${date(179)}`)).status).toBe(200);
    });
  });
});
