import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#api/http/transaction.ts';
import { admit, apiLimits } from '#api/public-forms/intake-limits.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/api.ts';
import { sendForm } from '#tests/support/job-requests.ts';

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

test('one business takes thirty an hour and three hundred a day, from everywhere together', async () => {
  const other = await app.signIn();
  for (let hour = 0; hour < 10; hour += 1) {
    const admissions = await Promise.all(Array.from({ length: 31 }, (_, n) => letIn(`${hour}-${n}`)));
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(30);
    at += 61 * MINUTE;
  }
  const refused = await post('198.51.100.1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBe((24 * 60 - 10 * 61) * 60);
  expect((await sendForm(from('198.51.100.2'), other.slug)).status).toBe(200);
});

/** What the door does with a request of a source that nobody else is. */
function letIn(source: string) {
  const request = { jobId: crypto.randomUUID(), businessId: acme.businessId, sourceHash: source };
  return inTransaction(app.deps.db, (db) => admit(db, request, apiLimits, new Date(at)));
}
