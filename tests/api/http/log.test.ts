import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';

const lines: string[] = [];
let api: TestApp;
let dave: SignedIn;

beforeAll(async () => {
  api = await testApp({
    log: (line) => lines.push(line),
    pages: () => Promise.reject(new Error('marker-of-an-exception')),
  });
  dave = await api.signIn({ password: 'Marker#Password42', intro: 'marker-of-the-intro' });
});
afterAll(() => api?.close());

/** Lines are written after the answer is on its way. */
async function linesAfter(act: () => Promise<{ headers: Headers }>): Promise<Record<string, unknown>[]> {
  const from = lines.length;
  const id = (await act()).headers.get('x-request-id') ?? 'none';
  const about = () => lines.slice(from).filter((line) => line.includes(id));
  for (let turn = 0; !about().some((line) => line.includes('"request"')) && turn < 1_000; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return about().map((line) => JSON.parse(line));
}

test('a request is one line: method, route template, status, time, id and business', async () => {
  const [line] = await linesAfter(() => dave.get('/api/jobs/0198c0de-0000-7000-8000-000000000001'));
  expect(line).toEqual({
    level: 30,
    time: expect.any(String),
    event: 'request',
    method: 'GET',
    route: '/api/jobs/:id',
    status: 404,
    ms: expect.any(Number),
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    business: dave.businessId,
  });
});

test('an exception is logged by place, under the ref of its answer, without its text', async () => {
  const said = await linesAfter(() => api.get('/boom'));
  const failure = said.find(({ event }) => event === 'failure');
  expect(failure).toMatchObject({ name: 'Error', at: expect.any(Array), ref: expect.any(String) });
  expect(said.find(({ event }) => event === 'request')).toMatchObject({ id: failure?.ref, status: 500 });
});

test('nothing that a person wrote, and no secret, is ever in the log', async () => {
  const body = { email: 'marker-of-email@acme.example', password: 'marker-of-password' };
  await api.post('/api/authenticate/login', body);
  await api.post('/api/authenticate/login', { ...body, 'marker-of-a-key': 1 });
  await dave.get('/api/jobs?search=marker-of-search');
  await dave.get('/api/marker-of-path', { 'x-rid': 'marker-of-rid', cookie: 'a=marker-of-cookie' });
  await api.get('/t/marker-of-slug?t=marker-of-reset-token');
  await linesAfter(() => dave.post('/api/authenticate/logout'));
  const log = lines.join('');
  expect(log.length).toBeGreaterThan(500);
  expect(log).not.toMatch(/marker-of-/i);
  for (const secret of [dave.token, dave.password, dave.email, 'Citizen', 'Bearer']) {
    expect(log).not.toContain(secret);
  }
  const { data, token, claim, botCheck } = api.deps.config.keys;
  for (const key of [data, token, claim, botCheck]) {
    expect(log).not.toContain(key.toString('hex'));
    expect(log).not.toContain(key.toString('base64'));
  }
});
