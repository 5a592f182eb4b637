import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { type RegisteredBusiness, seedBusiness } from '#api/seed/seed-business.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient, type Client } from '#tests/support/app/api-client.ts';
import { aBusiness } from '#tests/support/app/fixtures.ts';
import { aTicket, postForm, requestedJob, sendForm } from '#tests/support/scenarios/job-requests.ts';
import { type Failure, failingCalls, failures, sweepCalls } from '#tests/support/servers/outages.ts';

const calls = failingCalls();
let api: TestApp;
let acme: SignedIn;
/** The same product, whose every call to the log, the database and the read side can be made to fail. */
let failing: Client;

beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn();
  const pages = async () => new Response('the form again', { status: 503 });
  failing = apiClient(createApp(calls.wrap({ ...api.deps, pages })));
});
afterAll(() => api?.close());

/** Runs an operation once for each of its calls, that call failing; answers how many there were. */
function sweep(
  failure: Failure,
  operation: (arm: () => void, disarm: () => void) => Promise<void>,
): Promise<number> {
  return sweepCalls(async (n) => {
    let isMet = true;
    await operation(
      () => calls.failAt(n, failure),
      () => {
        isMet = calls.disarm();
      },
    );
    return isMet;
  });
}

async function jobsCalled(title: string): Promise<string[]> {
  await api.settle();
  const { jobs } = (await acme.get(`/api/jobs?search=${encodeURIComponent(title)}`)).body;
  return jobs.map(({ status }: { status: string }) => status);
}

test.each(failures)(
  'a request through the form, each call %s in turn, is there or not, and sent again is one job',
  async (failure) => {
    const swept = await sweep(failure, async (arm, disarm) => {
      const title = `Sweep ${crypto.randomUUID()}`;
      const headers = { 'x-bot-check': await aTicket(api), 'idempotency-key': crypto.randomUUID() };
      arm();
      const first = await sendForm(failing, acme.slug, { title }, headers);
      disarm();
      expect([200, 503]).toContain(first.status);
      const stored = await jobsCalled(title);
      expect(stored.length).toBeLessThanOrEqual(1);
      if (first.status === 200) expect(stored).toEqual(['Pending']);
      const again = await sendForm(failing, acme.slug, { title }, headers);
      expect(again.status).toBe(200);
      if (first.status === 200) expect(again.text).toBe(first.text);
      expect(await jobsCalled(title)).toEqual(['Pending']);
    });
    expect(swept).toBeGreaterThan(5);
  },
);

test.each(failures)(
  'a form sent without JavaScript, each call %s in turn, is there or not, and sent again is one job',
  async (failure) => {
    const swept = await sweep(failure, async (arm, disarm) => {
      const title = `Sweep ${crypto.randomUUID()}`;
      arm();
      const first = await postForm(failing, acme.slug, { title });
      disarm();
      expect([303, 503]).toContain(first.status);
      const stored = await jobsCalled(title);
      expect(stored.length).toBeLessThanOrEqual(1);
      if (first.status === 303) expect(stored).toEqual(['Pending']);
      expect((await postForm(failing, acme.slug, { title })).status).toBe(303);
      expect(await jobsCalled(title)).toEqual(['Pending']);
    });
    expect(swept).toBeGreaterThan(5);
  },
);

test.each(failures)(
  'accepting, each call %s in turn, has happened or not, and asked again has happened once',
  async (failure) => {
    const headers = { authorization: `Bearer ${acme.token}` };
    const swept = await sweep(failure, async (arm, disarm) => {
      const id = await requestedJob(api, acme);
      arm();
      const first = await failing.put(`/api/jobs/${id}/accept`, undefined, headers);
      disarm();
      expect([200, 503]).toContain(first.status);
      const types = (await api.deps.store.readStream(`job-${id}`)).map(({ type }) => type);
      if (first.status === 200) expect(types).toEqual(['JobRequested', 'JobAccepted']);
      else expect([['JobRequested'], ['JobRequested', 'JobAccepted']]).toContainEqual(types);
      const again = await failing.put(`/api/jobs/${id}/accept`, undefined, headers);
      expect(again).toMatchObject({ status: 200, body: { job: { status: 'To quote', revision: 1 } } });
      expect(await api.deps.store.readStream(`job-${id}`)).toHaveLength(2);
    });
    expect(swept).toBeGreaterThan(3);
  },
);

const OPENED = [
  'AccountEmailConfirmed',
  'AccountOpened',
  'BusinessIntroduced',
  'BusinessRegistered',
  'EmailConfirmationAwaited',
  'EnquiryFormOpened',
  'PublicAddressChanged',
];

async function eventsOf({ accountId, businessId }: RegisteredBusiness): Promise<string[]> {
  const streams = [`account-${accountId}`, `business-${businessId}`, `enquiryForm-${businessId}`] as const;
  const events = await Promise.all(streams.map((stream) => api.deps.store.readStream(stream)));
  return events
    .flat()
    .map(({ type }) => type)
    .toSorted();
}

test.each(failures)(
  'a registration, each call %s in turn, is finished by the same command, and signs no applicant in before',
  async (failure) => {
    const deps = calls.wrap(api.deps);
    const swept = await sweep(failure, async (arm, disarm) => {
      const business = aBusiness();
      const once = { commandId: crypto.randomUUID(), actor: 'seed', correlation: 'sweep' };
      const { email, password, slug } = business;
      const login = () => api.post('/api/authenticate/login', { email, password });
      const isOpen = async () => (await api.get(`/api/public-forms/${slug}`)).status === 200;
      arm();
      const first = await seedBusiness(deps, business, once).catch(() => null);
      disarm();
      await api.settle();
      const { status } = await login();
      expect([200, 401]).toContain(status);
      if (first) expect(status).toBe(200);
      if (status === 200) expect(await isOpen()).toBe(true);

      const registered = await seedBusiness(deps, business, once);
      if (first) expect(registered).toEqual(first);
      await api.settle();
      expect(await eventsOf(registered)).toEqual(OPENED);
      expect((await login()).status).toBe(200);
      expect(await isOpen()).toBe(true);
    });
    expect(swept).toBeGreaterThan(10);
  },
  240_000,
);
