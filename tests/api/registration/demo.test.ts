import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { DEMO, type Demo, seedDemoBusiness } from '#api/cli/seed/demo-business.ts';
import { idsOfCommand } from '#api/registration/register.ts';
import type { DemoRequest } from '#core/demo/decider.ts';
import { type EventStore, START } from '#core/event-store/port.ts';
import { jobStatuses } from '#core/job/statuses.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient, type Client } from '#tests/support/app/api-client.ts';
import { type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { aTicket } from '#tests/support/scenarios/job-requests.ts';

describe('demo', () => {
  const PATH = '/api/registration/demo';
  const SALES = 'sales@ute.example';
  let app: MessageApp;
  let email: string;
  let count = 0;
  beforeAll(async () => {
    app = await messageApp({ env: { SALES_EMAIL: SALES } });
  });
  beforeEach(() => {
    count += 1;
    email = `prospect${count}@tawhiri.example`;
  });
  afterAll(() => app.close());

  const asked = (changes: Partial<DemoRequest> = {}): DemoRequest => ({
    ...{ name: 'Aroha Tāwhiri', businessName: `Tāwhiri Plumbing ${count}`, phone: '021 555 0123', email },
    ...{ reachTime: 'lunch', ...changes },
  });
  async function book(changes = {}, headers: Record<string, string> = {}, client: Client = app) {
    const ticket = headers['x-bot-check'] ?? (await aTicket(client, 'demo'));
    return client.post(PATH, asked(changes), { 'x-bot-check': ticket, ...headers });
  }
  async function mailTo(address: string) {
    await app.settle();
    return sentMail(app, address);
  }
  const toSales = async () => (await mailTo(SALES)).filter(({ subject }) => subject.endsWith(` ${count}`));

  test('sales hear who wants a demo and may answer them; the answer to the page repeats nothing', async () => {
    const answer = await book();
    expect(answer.body).toEqual({ status: 'ok', details: { reachTime: 'lunch' } });
    const [mail, ...others] = await toSales();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: `Demo for Tāwhiri Plumbing ${count}`, replyTo: email });
    for (const word of ['Aroha Tāwhiri', '021 555 0123', email, 'Lunch']) expect(mail?.text).toContain(word);
  });

  test('the prospect has a confirmation with none of what was typed', async () => {
    const markers = { name: 'Marker http://evil.example', businessName: `Marker pills ${count}` };
    await book(markers);
    const [confirmation, ...others] = await mailTo(email);
    expect(others).toEqual([]);
    expect(confirmation?.text).toContain('Lunch');
    expect(JSON.stringify(confirmation)).not.toMatch(/Marker|evil|21 ?555 ?0123/);
  });

  test('what is personal stands in the log sealed, and in the outbox not at all', async () => {
    await book();
    await mailTo(email);
    const kept = await app.deps.db.query<{ kept: string }>(
      `select data::text as kept from event_store.events where type = 'DemoRequested'
     union all select data::text from state.outbox where kind like 'demo-%'`,
    );
    expect(kept.rows.length).toBeGreaterThan(0);
    for (const row of kept.rows) expect(row.kept).not.toMatch(/Aroha|Tāwhiri|tawhiri|21 ?555 ?0123/);
  });

  test('the same request under its key is one demo, however often it is sent', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID(), 'x-bot-check': await aTicket(app, 'demo') };
    const answers = await Promise.all([book({}, headers), book({}, headers), book({}, headers)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await toSales()).toHaveLength(1);
    expect(await mailTo(email)).toHaveLength(1);
    expect((await book({ name: 'Somebody Else' }, headers)).status).toBe(422);
  });

  test('each message that is wrong stands beside its field', async () => {
    const { status, body } = await book({ name: ' ', phone: '12', email: 'x', reachTime: 'never' });
    expect(status).toBe(422);
    expect(body.fields).toEqual({
      name: 'Full name is required',
      phone: 'Enter an Australian or New Zealand mobile number',
      email: 'Enter a valid email address',
      reachTime: 'Choose when we may reach you',
    });
    expect((await book({ demoId: 'mine' })).status).toBe(422);
  });

  test('a ticket is needed, of this operation, and counts once', async () => {
    expect((await app.post(PATH, asked())).status).toBe(400);
    const other = { 'x-bot-check': await aTicket(app, 'public-form') };
    expect((await book({}, other)).status).toBe(400);
    const once = { 'x-bot-check': await aTicket(app, 'demo') };
    expect((await book({ phone: 'no' }, once)).status).toBe(422);
    expect((await book({}, once)).status).toBe(200);
    expect((await book({}, once)).status).toBe(400);
  });

  test('a script that fills in the trap is thanked, and no message is sent', async () => {
    expect((await app.post(PATH, asked({ website: 'http://spam.example' }))).status).toBe(200);
    expect(await toSales()).toEqual([]);
  });

  test('one address is stopped after ten tries', async () => {
    const limited = await testApp({ env: { RATE_LIMITS: 'on' } });
    try {
      const statuses: number[] = [];
      for (let n = 0; n < 11; n += 1) statuses.push((await book({}, {}, limited)).status);
      expect(statuses).toEqual([...Array(10).fill(200), 429]);
    } finally {
      await limited.close();
    }
  });

  test('where no address of sales is configured, no demo can be booked', async () => {
    const config = { ...app.deps.config, salesEmail: null };
    const unconfigured = apiClient(createApp({ ...app.deps, config }));
    const { status, body } = await book({}, {}, unconfigured);
    expect(status).toBe(409);
    expect(body.message).toBe('Demos cannot be booked here at the moment');
  });
});

describe('demo business', () => {
  // Half past five in the morning of Melbourne: the demo's customers of today have to have written already.
  const now = new Date('2026-11-02T18:30:00.000Z');
  let app: TestApp;
  let demo: Demo;
  let dave: Client;

  beforeAll(async () => {
    app = await testApp({ now: () => now });
    demo = await seedDemoBusiness(app.deps, app.databaseUrl);
    const { body } = await app.post('/api/authenticate/login', pick(demo));
    dave = app.as({ authorization: `Bearer ${body.token}` });
  });
  afterAll(() => app.close());

  const pick = ({ email, password }: Demo) => ({ email, password });

  test('the demo has jobs in every status, and its tiles are not empty', async () => {
    const { jobs } = (await dave.get('/api/jobs')).body;
    expect(jobs).toHaveLength(40);
    expect(new Set(jobs.map(({ status }: { status: string }) => status))).toEqual(new Set(jobStatuses));
    expect(jobs.every(({ createdAt }: { createdAt: string }) => new Date(createdAt) < now)).toBe(true);
    expect((await dave.get('/api/jobs/count')).body.count).toEqual({
      today: 3,
      new: 8,
      inProgress: 7,
      // The one that is held for review is not counted.
      all: 39,
    });
  });

  test('its jobs are what a form and a tradie would have made', async () => {
    const { jobs } = (await dave.get('/api/jobs?search=shower')).body;
    expect(jobs[0]).toMatchObject({ scheduledAt: '2026-11-02T22:30:00.000Z', phone: '+61491570156' });
    const { job } = (await dave.get(`/api/jobs/${jobs[0].id}`)).body;
    expect(job.form).toEqual([
      { questionId: 'home-type', question: 'Home type', field: 'homeType', answer: 'Unit' },
      { questionId: 'pets', question: 'Any pets?', field: 'pets', answer: 'Yes' },
    ]);
  });

  test('its work reaches back five months; one request is held, one is not needed any more, some have photos', async () => {
    const { jobs } = (await dave.get('/api/jobs')).body;
    const held = jobs.filter(({ heldFor }: { heldFor: string | null }) => heldFor !== null);
    expect(held.map(({ title }: { title: string }) => title)).toEqual(['Toilet keeps running']);
    const oldest = jobs.map(({ createdAt }: { createdAt: string }) => createdAt).sort()[0];
    expect(oldest).toBe('2026-06-05T21:40:00.000Z');
    const job = async (search: string) => {
      const { jobs } = (await dave.get(`/api/jobs?search=${search}`)).body;
      return (await dave.get(`/api/jobs/${jobs[0].id}`)).body.job;
    };
    expect((await job('laundry floor')).noLongerNeededAt).toBe(now.toISOString());
    expect((await job('kitchen sink')).media).toHaveLength(2);
    const { user } = (await dave.get('/api/authenticate')).body;
    expect(user).toMatchObject({ theme: '#5053AE', logo: expect.stringContaining('/logos/') });
  });

  test('what was done with a job has the time at which people do it', async () => {
    const { jobs } = (await dave.get('/api/jobs?search=base')).body;
    const swap = jobs.find(({ title }: { title: string }) => title.startsWith('Hot water'));
    const { history } = (await dave.get(`/api/jobs/${swap.id}/history`)).body;
    const entries = history
      .toReversed()
      .map(({ at, text }: { at: string; text: string }) => [at.slice(0, 10), text]);
    expect(entries).toEqual([
      ['2026-06-05', 'Nina Kovac asked for this job'],
      ['2026-06-05', 'You accepted the job'],
      ['2026-06-05', 'You scheduled the job for Tue, 09 Jun 2026 8:00AM'],
      ['2026-06-08', 'You changed the status from To quote to In progress'],
      ['2026-06-09', 'You changed the status from In progress to Completed'],
      ['2026-06-09', 'You changed the status from Completed to Invoice sent'],
      ['2026-06-13', 'You changed the status from Invoice sent to Paid'],
      ['2026-06-13', 'You wrote notes'],
    ]);
  });

  test('its log is in the order of time, as a board of an earlier day needs it', async () => {
    const { jobs } = (await dave.get('/api/jobs?search=kitchen sink')).body;
    const events = await app.deps.store.readAll(START, 2_000);
    const seeded = events.filter(({ metadata, stream }) => {
      // The last job stands for all: it comes when the others are there.
      return metadata.actor === 'seed' && stream !== `job-${jobs[0].id}`;
    });
    const times = seeded.map(({ metadata }) => metadata.at);
    expect(times.length).toBeGreaterThan(150);
    expect(times).toEqual(times.toSorted());
    expect(times[0]?.slice(0, 7)).toBe('2026-06');
  });

  test('the draft of its registration is not over while it is made: the chores take those that are', async () => {
    const { rows } = await app.deps.db.query<{ over: boolean }>(
      'select expires_at <= $1 as over from state.registrations where registration_id = $2',
      [app.deps.now(), idsOfCommand(DEMO).registrationId],
    );
    expect(rows).toEqual([{ over: false }]);
  });

  test('its tradie is past the welcome', async () => {
    expect((await dave.get('/api/authenticate')).body.user.onboarding).toBe(false);
  });

  test('its public form is open', async () => {
    const { form } = (await app.get(`/api/public-forms/${demo.slug}`)).body;
    expect(form).toMatchObject({ name: 'Acme Plumbing', tagline: 'Plumbers, Brunswick VIC' });
  });

  test('seeding again changes nothing, whatever was done with the demo since', async () => {
    const { jobs } = (await dave.get('/api/jobs?filter=Pending')).body;
    await dave.put(`/api/jobs/${jobs[0].id}/accept`);
    const head = await app.deps.store.head();
    expect(await seedDemoBusiness(app.deps, app.databaseUrl)).toEqual(demo);
    expect(await app.deps.store.head()).toBe(head);
  });

  test('what a crash left half done is finished', async () => {
    const other = await testApp({ now: () => now, store: failingAfter(9) });
    try {
      await expect(seedDemoBusiness(other.deps, other.databaseUrl)).rejects.toThrow('crash');
      await seedDemoBusiness(other.deps, other.databaseUrl);
      await other.settle();
      const { rows } = await other.deps.db.query(`select count(*)::int as n from ${jobTables.jobs}`);
      expect(rows[0].n).toBe(40);
    } finally {
      await other.close();
    }
  });

  test('processes that start together make it once', async () => {
    const other = await testApp({ now: () => now });
    try {
      const demos = await Promise.all([1, 2, 3].map(() => seedDemoBusiness(other.deps, other.databaseUrl)));
      expect(demos).toEqual([demos[0], demos[0], demos[0]]);
      await other.settle();
      const { rows } = await other.deps.db.query(`select count(*)::int as n from ${jobTables.jobs}`);
      expect(rows[0].n).toBe(40);
    } finally {
      await other.close();
    }
  });

  /** A store whose nth append fails, once. */
  function failingAfter(appends: number) {
    let left = appends;
    return (store: EventStore): EventStore => ({
      ...store,
      append: (...args) => {
        left -= 1;
        if (left === 0) throw new Error('crash');
        return store.append(...args);
      },
    });
  }
});
