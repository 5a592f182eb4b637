import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';

let api: TestApp;
let dave: SignedIn;

beforeAll(async () => {
  api = await testApp();
  dave = await api.signIn();
});
afterAll(() => api?.close());

const MARKER = 'marker-7f3e';
const JSON_TYPE = { 'content-type': 'application/json' };
const utf8 = (text: string) => new TextEncoder().encode(text);

type Case = Readonly<{ name: string; status: number; body: BodyInit; headers?: Record<string, string> }>;

const bodies: readonly Case[] = [
  { name: 'malformed JSON', status: 400, body: `{"email":"${MARKER}` },
  { name: '30,000 levels', status: 400, body: `{"email":"${MARKER}","a":${'['.repeat(30_000)}` },
  { name: '21 levels, well-formed', status: 400, body: `${'['.repeat(21)}"${MARKER}"${']'.repeat(21)}` },
  {
    name: 'invalid UTF-8',
    status: 400,
    body: new Uint8Array([...utf8(`{"email":"${MARKER}`), 0xff, 0x22, 0x7d]),
  },
  { name: '10 MB', status: 413, body: `{"email":"${MARKER}${'x'.repeat(10 * 1024 * 1024)}"}` },
  {
    name: 'text/plain',
    status: 415,
    body: `{"email":"${MARKER}"}`,
    headers: { 'content-type': 'text/plain' },
  },
  {
    name: 'a form',
    status: 415,
    body: `email=${MARKER}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  {
    name: 'another charset',
    status: 415,
    body: `{"email":"${MARKER}"}`,
    headers: { 'content-type': 'application/json; charset=utf-16' },
  },
  { name: 'no content type', status: 415, body: utf8(`{"email":"${MARKER}"}`), headers: {} },
  { name: 'NUL', status: 422, body: `{"email":"${MARKER}\\u0000"}` },
  { name: 'NUL in a name', status: 422, body: `{"email\\u0000":"${MARKER}"}` },
  { name: 'a lone surrogate', status: 422, body: `{"email":"${MARKER}\\ud800"}` },
  { name: '__proto__', status: 422, body: `{"email":"${MARKER}","__proto__":{"admin":true}}` },
  { name: 'constructor', status: 422, body: `{"email":"${MARKER}","a":{"constructor":1}}` },
  { name: '1e400', status: 422, body: `{"email":"${MARKER}","lat":1e400}` },
  { name: 'null', status: 422, body: 'null' },
  { name: 'a bare string', status: 422, body: `"${MARKER}"` },
  { name: 'an unknown field', status: 422, body: `{"${MARKER}":"${MARKER}"}` },
];

const routes = [
  ['POST', '/api/authenticate/login'],
  ['POST', '/api/public-forms/acme-00001/jobs'],
  ['POST', '/api/bot-check/verify'],
  ['POST', '/api/client-errors'],
  ['PUT', '/api/jobs/0198c0de-0000-7000-8000-000000000001'],
] as const;

describe.each(routes)('%s %s', (method, path) => {
  test.each(bodies)('$name is answered $status', async ({ status, body, headers = JSON_TYPE }) => {
    const before = await api.deps.store.head();
    const answer = await dave.send(method, path, { body, headers });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({
      status: 'error',
      message: expect.any(String),
      ref: expect.any(String),
    });
    expect(answer.text).not.toContain(MARKER);
    expect(await api.deps.store.head()).toBe(before);
  });
});

test('an endless body is cut at the limit', async () => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 16_384;
      controller.enqueue(new Uint8Array(16_384).fill(0x20));
    },
  });
  const answer = await api.send('POST', '/api/authenticate/login', { body: endless, headers: JSON_TYPE });
  expect(answer.status).toBe(413);
  expect(sent).toBeLessThan(256 * 1024);
});

describe('addresses', () => {
  test.each([
    ['a parameter sent twice', '/api/jobs?limit=1&limit=2', 400],
    ['a prototype as a parameter', '/api/jobs?__proto__=1', 400],
    ['NUL in a parameter', '/api/jobs?search=%00', 400],
    ['half a character in a parameter', '/api/jobs?search=%ff', 400],
    ['NUL in the path', '/api/jobs/%00', 400],
    ['half a character in the path', '/api/jobs/%ff', 400],
    ['an id that is none', '/api/jobs/marker-7f3e', 404],
    ['an unknown path', '/api/marker-7f3e', 404],
    ['the root of the API', '/api', 404],
  ])('%s', async (_name, path, status) => {
    const answer = await dave.get(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status: 'error', ref: expect.any(String) });
    expect(answer.text).not.toContain(MARKER);
  });

  test('a method that a path does not have is 405 and says which it has', async () => {
    const answer = await dave.delete('/api/authenticate/login');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
  });
});

test('the next request is fine', async () => {
  expect((await dave.get('/api/authenticate')).status).toBe(200);
});
