import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '#api/http/transaction.ts';
import { countFormRequest } from '#api/public-forms/form-price.ts';
import { type Admission, admit, apiLimits } from '#api/public-forms/intake-limits.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/api.ts';
import { payloadOf, solve } from '#tests/support/bot-check.ts';
import { postForm } from '#tests/support/form-posts.ts';
import { aTicket, sendForm } from '#tests/support/job-requests.ts';

const MINUTE = 60_000;
let at = Date.parse('2026-11-03T01:00:00.000Z');
let app: TestApp;
let acme: SignedIn;

beforeAll(async () => {
  app = await testApp({
    now: () => new Date(at),
    env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', BOT_CHECK_COST: '1' },
  });
});
beforeEach(async () => {
  at += 26 * 60 * MINUTE;
  acme = await app.signIn();
});
afterAll(() => app.close());

const from = (address: string) => app.as({ 'x-forwarded-for': address });
const post = (address: string, key: string = crypto.randomUUID()) =>
  sendForm(from(address), acme.slug, { title: `Job ${key}` }, { 'idempotency-key': key });

async function jobCount(): Promise<number> {
  await app.settle();
  return (await acme.get('/api/jobs/count')).body.count.all;
}

test('one source sends five requests in ten minutes, and is told how long to wait', async () => {
  for (let n = 0; n < 5; n += 1) {
    expect((await post('203.0.113.7')).status).toBe(200);
    at += MINUTE;
  }
  const refused = await post('203.0.113.7');
  expect(refused).toMatchObject({ status: 429, body: { status: 'error' } });
  expect(refused.headers.get('retry-after')).toBe('300');
  expect((await post('203.0.113.8')).status).toBe(200);
  at += 5 * MINUTE;
  expect((await post('203.0.113.7')).status).toBe(200);
});

test('twenty at once from one source are five jobs', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('203.0.113.9')));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  expect(await jobCount()).toBe(5);
});

test('a network of many addresses is one source', async () => {
  const answers = await Promise.all(
    Array.from({ length: 7 }, (_, n) => post(`2001:db8:1:2::${n.toString(16)}`)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
});

test('repeats are not counted, nor are refusals', async () => {
  for (let n = 0; n < 8; n += 1) expect((await post('203.0.113.10', 'the-same-key')).status).toBe(200);
  for (let n = 0; n < 8; n += 1) {
    expect((await sendForm(from('203.0.113.10'), acme.slug, { email: 'nobody' })).status).toBe(422);
  }
  for (let n = 0; n < 4; n += 1) expect((await post('203.0.113.10')).status).toBe(200);
  expect((await post('203.0.113.10')).status).toBe(429);
});

test('the same key a day later is answered, with the same job', async () => {
  const first = await post('203.0.113.11', 'a-key-kept-for-long');
  at += 25 * 60 * MINUTE;
  const later = await post('203.0.113.11', 'a-key-kept-for-long');
  expect([later.status, later.body.reference]).toEqual([200, first.body.reference]);
});

test('what is more than thirty an hour, from everywhere together, is held for review, and refused only far beyond that', async () => {
  const other = await app.signIn();
  const admissions = await Promise.all(Array.from({ length: 332 }, (_, n) => letIn(`source-${n}`)));
  expect(tally(admissions)).toEqual({ null: 30, rush: 300, refused: 2 });
  const held = await post('198.51.100.1');
  expect(held.status).toBe(429);
  expect(held.headers.get('retry-after')).toBe('3600');
  at += 61 * MINUTE;
  expect((await post('198.51.100.1')).status).toBe(200);
  expect(await cards()).toMatchObject([{ heldFor: null }]);
  expect((await sendForm(from('198.51.100.2'), other.slug)).status).toBe(200);
});

describe('what comes without a bot check', () => {
  const postPlain = (address: string) => postForm(from(address), acme.slug);
  const rush = (length: number) => Array.from({ length }, (_, n) => postPlain(`10.${n}.0.1`));

  test('has a smaller budget of its own, and takes nothing from who passed one', async () => {
    const answers = await Promise.all(rush(58));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(15);
    expect((await post('198.51.100.9')).status).toBe(200);
    const held = (await cards()).map(({ heldFor }) => heldFor);
    expect(held.filter((one) => one === 'unchecked')).toHaveLength(9);
    expect(held.filter((one) => one === null)).toHaveLength(7);
  });

  test('leaves the places of its own network to who passed one', async () => {
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await postPlain('203.0.113.20')).status === 303);
    expect(statuses).toEqual([true, true, true, false]);
    for (let n = 0; n < 5; n += 1) expect((await post('203.0.113.20')).status).toBe(200);
    expect((await post('203.0.113.20')).status).toBe(429);
  });
});

describe('in a rush of requests', () => {
  const challenge = async (query: string) =>
    (await app.get(`/api/bot-check/challenge?scope=public-form${query}`)).body.challenge;
  const costOf = async (slug: string) => (await challenge(`&form=${slug}`)).parameters.cost;

  test('the bot check of that business costs more, in steps up to four times, and of no other', async () => {
    const other = await app.signIn();
    const costs = [await costOf(acme.slug)];
    for (const requests of [29, 1, 30, 60, 500]) {
      for (let n = 0; n < requests; n += 1)
        await countFormRequest(app.deps.db, acme.businessId, new Date(at));
      costs.push(await costOf(acme.slug));
    }
    expect(costs).toEqual([1, 1, 2, 3, 4, 4]);
    expect(await costOf(other.slug)).toBe(1);
    at += 11 * MINUTE;
    expect(await costOf(acme.slug)).toBe(1);
    expect(await costOf('none-of-ours')).toBe(1);
  });

  test('refused requests count, and a ticket that cost too little is to be earned anew', async () => {
    const cheap = { 'x-bot-check': await aTicket(app) };
    for (let n = 0; n < 60; n += 1) await postForm(from(`10.9.${n}.1`), acme.slug);
    const refused = await sendForm(from('203.0.113.30'), acme.slug, {}, cheap);
    expect(refused).toMatchObject({
      status: 400,
      body: { botCheck: { scope: 'public-form', price: 3 }, message: expect.stringContaining('person') },
    });
    const asked = await challenge('&price=3');
    const payload = payloadOf(asked, await solve(asked));
    const { ticket } = (await app.post('/api/bot-check/verify', { scope: 'public-form', payload })).body;
    const dear = { 'x-bot-check': ticket };
    expect((await sendForm(from('203.0.113.30'), acme.slug, {}, dear)).status).toBe(200);
    expect((await app.get('/api/bot-check/challenge?scope=public-form&price=5')).status).toBe(422);
  });
});

test('what is more than three hundred a day is held for review', async () => {
  for (let hour = 0; hour < 10; hour += 1) {
    await Promise.all(Array.from({ length: 30 }, (_, n) => letIn(`${hour}-${n}`)));
    at += 61 * MINUTE;
  }
  expect((await post('198.51.100.3')).status).toBe(200);
  expect(await cards()).toMatchObject([{ heldFor: 'rush', status: 'Pending' }]);
  at += 24 * 60 * MINUTE;
  await post('198.51.100.3');
  expect((await cards()).map(({ heldFor }) => heldFor)).toEqual([null, 'rush']);
});

test('a held request is in the lists, is not counted, and is a job like any other once it is answered', async () => {
  await Promise.all(Array.from({ length: 30 }, (_, n) => letIn(`source-${n}`)));
  await post('198.51.100.4');
  const [card = { id: 'none' }] = await cards();
  expect((await acme.get('/api/jobs?filter=Pending')).body.jobs).toEqual([card]);
  expect((await acme.get('/api/jobs?search=Job')).body.jobs).toEqual([card]);
  expect((await acme.get(`/api/jobs/${card?.id}`)).body.job.heldFor).toBe('rush');
  expect((await acme.get('/api/jobs/count')).body.count).toMatchObject({ new: 0, all: 0 });
  const { job } = (await acme.put(`/api/jobs/${card?.id}/accept`)).body;
  expect(job).toMatchObject({ heldFor: null, status: 'To quote' });
  expect((await acme.get('/api/jobs/count')).body.count).toMatchObject({ new: 1, all: 1 });
  expect(await cards()).toMatchObject([{ heldFor: null }]);
});

test('a form that is sent faster than anybody reads is refused, and its ticket stays good', async () => {
  const quick = await testApp({
    now: () => new Date(at),
    env: { RATE_LIMITS: 'on', BOT_CHECK_COST: '1', FORM_LEAST_SECONDS: '3' },
  });
  const { slug } = await quick.signIn();
  const headers = { 'x-bot-check': await aTicket(quick) };
  at += 2_999;
  const refused = await sendForm(quick, slug, {}, headers);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'That was very quick: please check what you entered and send it again',
  ]);
  at += 1;
  expect((await sendForm(quick, slug, {}, headers)).status).toBe(200);
  await quick.close();
});

async function cards(): Promise<{ id: string; heldFor: string | null }[]> {
  await app.settle();
  return (await acme.get('/api/jobs')).body.jobs;
}

function tally(admissions: readonly Admission[]): Record<string, number> {
  const said = admissions.map((one) => (one.admitted ? `${one.heldFor}` : 'refused'));
  return Object.fromEntries(
    [...new Set(said)].map((word) => [word, said.filter((one) => one === word).length]),
  );
}

/** What the door does with a request of a source that nobody else is. */
function letIn(source: string) {
  const request = {
    ...{ jobId: crypto.randomUUID(), businessId: acme.businessId },
    sourceHash: `${acme.businessId} ${source}`,
  };
  return inTransaction(app.deps.db, (db) => admit(db, request, apiLimits, new Date(at)));
}
