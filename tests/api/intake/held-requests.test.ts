import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitJobRequest } from '#api/intake/public-form/submit.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { turnstileEnv } from '#tests/support/app/fixtures.ts';
import { type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { aJobRequest } from '#tests/support/scenarios/job-requests.ts';
import { type ProviderServer, providerServer } from '#tests/support/servers/providers.ts';

const customer = 'aroha.t@example.com';
let provider: ProviderServer;
let isUnavailable = false;
let app: MessageApp;
let dave: SignedIn;
beforeAll(async () => {
  provider = providerServer(() =>
    isUnavailable
      ? new Response('gateway', { status: 502 })
      : Response.json({
          ...{ success: true, challenge_ts: app.deps.now().toISOString() },
          ...{ hostname: 'localhost', action: 'public-form' },
        }),
  );
  app = await messageApp({
    env: { ...turnstileEnv(provider.url), RATE_LIMITS: 'on' },
  });
  dave = await app.signIn();
});
afterAll(async () => {
  await app?.close();
  await provider?.stop();
});

let tokens = 0;
async function send(title: string) {
  const payload = `token-${(tokens += 1)}`;
  const { body } = await app.post('/api/bot-check/verify', { scope: 'public-form', payload });
  return app.post(`/api/public-forms/${dave.slug}/jobs`, aJobRequest({ title, isUrgent: true }), {
    'x-bot-check': body.ticket,
  });
}
const newest = async () => {
  await app.settle();
  return (await dave.get('/api/jobs')).body.jobs[0];
};

test('a request whose bot check could not be made is accepted, and no tradie is alerted to it', async () => {
  isUnavailable = true;
  expect((await send('Unchecked')).status).toBe(200);
  isUnavailable = false;
  expect(await newest()).toMatchObject({ title: 'Unchecked', heldFor: 'unchecked' });
  app.pass(60);
  expect(await app.toldTo(dave)).toEqual({ mail: [], sms: [] });
  expect(await sentMail(app, customer)).toEqual([]);
});

test('of those a source sends two in ten minutes', async () => {
  isUnavailable = true;
  app.pass(11);
  const statuses = [];
  for (const title of ['One', 'Two', 'Three']) statuses.push((await send(title)).status);
  isUnavailable = false;
  expect(statuses).toEqual([200, 200, 429]);
});

test('once it is accepted its customer is notified', async () => {
  app.pass(11);
  const { id } = await newest();
  expect(await sentMail(app, customer)).toEqual([]);
  expect((await dave.put(`/api/jobs/${id}/accept`)).body.job.heldFor).toBe(null);
  await app.settle();
  app.pass(2);
  expect((await sentMail(app, customer)).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('accepted'),
  ]);
});

test('a registration waits until the bot check is back', async () => {
  isUnavailable = true;
  const answer = await app.post('/api/bot-check/verify', { scope: 'registration', payload: 'token-x' });
  isUnavailable = false;
  expect(answer.status).toBe(503);
});

test('a repeat of a held request is the same one, still held', async () => {
  const { businessId } = dave;
  const { answers: _, ...body } = aJobRequest();
  const submission = {
    ...{ businessId, body, key: 'once-and-again', ticket: null, sourceHash: 'x', actor: 'customer' },
    request: {
      ...{ name: 'A', email: customer, phone: '+61491570156', title: 'Held', description: '' },
      ...{ wishedTime: '', isUrgent: false, answers: [] },
      location: { address: 'x', placeId: null, lat: null, lng: null },
    },
    ...{ media: [], correlation: 'test', jobId: app.deps.newId() },
    limits: {
      ...{ channel: 'page' as const, perSourceIn10Minutes: 9, perBusinessInHour: 1, perBusinessInDay: 9 },
      ...{ heldInHour: 9, heldInDay: 9 },
    },
  };
  await submitJobRequest(app.deps, { ...submission, key: 'another', jobId: app.deps.newId() });
  const ids = [1, 2].map(() => submitJobRequest(app.deps, submission));
  expect(new Set(await Promise.all(ids)).size).toBe(1);
  await app.settle();
  expect((await dave.get(`/api/jobs/${submission.jobId}`)).body.job).toMatchObject({
    heldFor: 'unchecked',
  });
});
