import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { aJobRequest, aTicket, requestedJob, sendForm } from '#tests/support/scenarios/job-requests.ts';

const SENT = 'echo-marker-7f3a';
const valid = aJobRequest({ title: SENT });
const json = (body: unknown) => JSON.stringify(body);
const withField = (raw: string) => json(valid).replace('{', `{${raw},`);
const keys = (count: number) => Array.from({ length: count }, (_, n) => `"${SENT}${n}":${n}`).join(',');

/** What is sent, as text or bytes, and what may be answered. */
const bodies: readonly [name: string, body: () => BodyInit, status: number[]][] = [
  ['NUL', () => json({ ...valid, name: `${SENT}\0` }), [422]],
  ['half a surrogate pair', () => json({ ...valid, name: 'X' }).replace('"X"', `"${SENT}\\ud800"`), [422]],
  ['the other half', () => json({ ...valid, title: 'X' }).replace('"X"', `"\\udc00${SENT}"`), [422]],
  ['ten megabytes', () => json({ ...valid, description: SENT.repeat(640_000) }), [413]],
  ['30,000 levels', () => withField(`"x":${'['.repeat(30_000)}${']'.repeat(30_000)}`), [400]],
  ['30,000 objects', () => withField(`"x":${'{"a":'.repeat(12_000)}1${'}'.repeat(12_000)}`), [400, 413]],
  ['__proto__', () => withField(`"__proto__":{"isAdmin":true}`), [422]],
  ['constructor', () => withField(`"constructor":{"prototype":{"x":"${SENT}"}}`), [422]],
  [
    'a key that is there twice',
    () => json(valid).replace('{', `{"title":{"x":1},`).replace(/}$/, ',"title":7}'),
    [400],
  ],
  [
    'a key twice, spelled in two ways',
    () => json(valid).replace(/}$/, String.raw`,"titl\u0065":"other"}`),
    [400],
  ],
  ['thousands of keys', () => withField(`"x":{${keys(2_000)}}`), [400]],
  ['101 keys', () => `{${keys(101)}}`, [400]],
  ['100 keys', () => `{${keys(100)}}`, [422]],
  ['thousands of values', () => withField(`"answers":[${'1,'.repeat(2_000)}1]`), [400]],
  ['a number beyond any', () => withField('"lat":1e400'), [422]],
  ['a name that is a list', () => json({ ...valid, name: [SENT] }), [422]],
  ['a list', () => json([valid]), [422]],
  ['null', () => 'null', [422]],
  ['half of it', () => json(valid).slice(0, -2), [400]],
  ['nothing', () => '', [422]],
  ['bytes that are no UTF-8', () => Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), [400]],
];
const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json-patch+json',
];

let app: TestApp;
let acme: SignedIn;
let ticket: string;
let jobId: string;
let head: string;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn();
  jobId = await requestedJob(app, acme);
  ticket = await aTicket(app);
});
beforeEach(async () => {
  head = await app.deps.store.head();
});
afterAll(() => app?.close());

const post = (body: BodyInit, type = 'application/json') =>
  app.send('POST', `/api/public-forms/${acme.slug}/jobs`, {
    body,
    headers: { 'content-type': type, 'x-bot-check': ticket },
  });
const put = (body: BodyInit, type = 'application/json') =>
  acme.send('PUT', `/api/jobs/${jobId}`, { body, headers: { 'content-type': type } });

async function expectRefusal(answer: Answer, statuses: readonly number[]) {
  expect(statuses).toContain(answer.status);
  expect(answer.body).toMatchObject({
    status: 'error',
    message: expect.any(String),
    ref: expect.any(String),
  });
  expect(answer.text).not.toContain(SENT);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await app.deps.store.head()).toBe(head);
}

describe('whatever a stranger sends is refused politely and leaves nothing', () => {
  test.each(bodies)('%s', async (_name, body, statuses) => {
    await expectRefusal(await post(body()), statuses);
  });

  test.each(types)('as %s', async (type) => {
    await expectRefusal(await post(json(valid), type), [415]);
  });
});

describe('and so is what a signed-in tradie sends', () => {
  test.each(bodies)('%s', async (name, body, statuses) => {
    await expectRefusal(await put(body()), name === 'nothing' ? [422] : statuses);
  });

  test('doubled parameters', async () => {
    await expectRefusal(await acme.get(`/api/jobs?search=${SENT}&search=${SENT}`), [400]);
  });

  test.each(['%00', '%ff', '%ed%a0%80', '%'])('the address %s', async (part) => {
    for (const path of [
      `/api/jobs/${part}`,
      `/api/jobs?search=${SENT}${part}`,
      `/api/public-forms/${part}`,
    ]) {
      await expectRefusal(await acme.get(path), [400, 404, 422]);
    }
  });
});

test('a form of thousands of fields is refused before it is taken apart', async () => {
  const type = 'application/x-www-form-urlencoded';
  const answer = await app.send('POST', `/t/${acme.slug}`, {
    body: 'a=&'.repeat(20_000),
    headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
  });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('The form has too many fields');
});

test('the ticket that went with all this still buys a job', async () => {
  expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).status).toBe(200);
});
