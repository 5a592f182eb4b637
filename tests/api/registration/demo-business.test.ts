import { afterAll, beforeAll, expect, test } from 'vitest';
import { idsOfCommand } from '#api/registration/register.ts';
import { DEMO, type Demo, seedDemoBusiness } from '#api/seed/demo-business.ts';
import { type EventStore, START } from '#core/event-store/port.ts';
import { jobStatuses } from '#core/job/status/statuses.ts';
import { jobTables } from '#projections/jobs/table.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Client } from '#tests/support/app/api-client.ts';

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

test.each([9, 60])('what a crash at append %i left half done is finished', async (append) => {
  const other = await testApp({ now: () => now, store: failingAfter(append) });
  // One by one, as a log elsewhere gets them.
  const config = { ...other.deps.config, eventStoreUrl: 'esdb://elsewhere.example' };
  try {
    const begun = seedDemoBusiness({ ...other.deps, config }, other.databaseUrl);
    await expect(begun).rejects.toThrow('crash');
    await seedDemoBusiness(other.deps, other.databaseUrl);
    await other.settle();
    const { rows } = await other.deps.db.query(`select count(*)::int as n from ${jobTables.jobs}`);
    expect(rows[0].n).toBe(40);
    expect((await seeded(other)).map(({ id }) => id).toSorted()).toEqual(
      (await seeded(app)).map(({ id }) => id).toSorted(),
    );
  } finally {
    await other.close();
  }
});

test('its jobs come in few transactions, and one by one to a log of its own server: the same events in the same order', async () => {
  let appends = 0;
  const counting = (store: EventStore): EventStore => ({
    ...store,
    append: (...args) => {
      appends += 1;
      return store.append(...args);
    },
  });
  const other = await testApp({ now: () => now, store: counting });
  try {
    const config = { ...other.deps.config, eventStoreUrl: 'esdb://elsewhere.example' };
    await seedDemoBusiness({ ...other.deps, config }, other.databaseUrl);
    const oneByOne = appends;
    expect(await seeded(other)).toEqual(await seeded(app));
    expect(oneByOne).toBeGreaterThan(200);
    appends = 0;
    const third = await testApp({ now: () => now, store: counting });
    await seedDemoBusiness(third.deps, third.databaseUrl).finally(() => third.close());
    expect(appends).toBeLessThan(25);
  } finally {
    await other.close();
  }
});

/** The events of the demo's jobs as they came, but for what a tradie did since. */
async function seeded({ deps }: TestApp) {
  const events = await deps.store.readAll(START, 2_000);
  return events
    .filter(({ metadata, stream }) => metadata.actor === 'seed' && stream.startsWith('job-'))
    .map(({ id, type, stream, metadata: { at, causation } }) => ({ id, type, stream, at, causation }));
}

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
