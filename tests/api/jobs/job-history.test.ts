import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aNewJob, requestedJob, slot, streamLength } from '#tests/support/scenarios/job-requests.ts';

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
      expect(await streamLength(app, id)).toBe(3);
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
