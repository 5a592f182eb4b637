import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aTicket, requestedJob, sendForm } from '#tests/support/scenarios/job-requests.ts';
import { flakyStore } from '#tests/support/servers/outages.ts';

const flaky = flakyStore();
let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp({ store: flaky.wrap });
  acme = await app.signIn();
});
afterEach(() => flaky.comeBack());
afterAll(() => app.close());

async function jobCount(): Promise<number> {
  await app.settle();
  return (await acme.get('/api/jobs/count')).body.count.all;
}

test('a request whose answer was lost is one job, however often it is sent again', async () => {
  const before = await jobCount();
  const headers = { 'x-bot-check': await aTicket(app), 'idempotency-key': 'lost-in-the-post' };
  flaky.loseAnswers(2);
  const lost = await sendForm(app, acme.slug, {}, headers);
  expect(lost).toMatchObject({ status: 503, body: { status: 'error' } });
  expect(lost.headers.get('retry-after')).toBe('5');
  const again = await sendForm(app, acme.slug, {}, headers);
  expect(again.status).toBe(200);
  expect((await sendForm(app, acme.slug, {}, headers)).text).toBe(again.text);
  expect(await jobCount()).toBe(before + 1);
});

test('a request that never reached the log is accepted on its first ticket later', async () => {
  const before = await jobCount();
  const headers = { 'x-bot-check': await aTicket(app), 'idempotency-key': 'while-we-were-away' };
  flaky.becomeUnavailable();
  expect((await sendForm(app, acme.slug, {}, headers)).status).toBe(503);
  expect(await jobCount()).toBe(before);
  flaky.comeBack();
  expect((await sendForm(app, acme.slug, {}, headers)).status).toBe(200);
  expect(await jobCount()).toBe(before + 1);
});

test('accepting works on the first try after a lost answer', async () => {
  const id = await requestedJob(app, acme);
  flaky.loseAnswers(1);
  expect((await acme.put(`/api/jobs/${id}/accept`)).body.job.status).toBe('To quote');
  flaky.loseAnswers(2);
  expect((await acme.put(`/api/jobs/${id}`, { notes: 'Ring first' })).status).toBe(503);
  flaky.comeBack();
  expect((await acme.put(`/api/jobs/${id}`, { notes: 'Ring first' })).status).toBe(200);
  expect(await app.deps.store.readStream(`job-${id}`)).toHaveLength(3);
});

test('what was read stays readable while nothing can be written', async () => {
  const id = await requestedJob(app, acme);
  flaky.becomeUnavailable();
  expect((await acme.get(`/api/jobs/${id}`)).status).toBe(200);
  expect((await acme.get('/api/jobs')).status).toBe(200);
  expect((await acme.put(`/api/jobs/${id}/accept`)).status).toBe(503);
});
