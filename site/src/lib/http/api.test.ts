import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { $session, dropSession, signIn } from '#site/lib/session/session-store.ts';
import { type ApiError, request } from './api.ts';

const replace = vi.fn();
let answer: () => Response | Promise<Response>;
const fetched = vi.fn((_path: string, _init: RequestInit) => Promise.resolve().then(answer));
const json =
  (body: unknown, status = 200, headers = {}) =>
  () =>
    Response.json(body, { status, headers });

/** As much of a browser as the client touches. */
beforeEach(() => {
  const storage = () => ({ getItem: () => null, setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal('document', { documentElement: { dataset: {}, style: {} } });
  vi.stubGlobal('location', { pathname: '/jobs/all', search: '?search=tap', replace });
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
  vi.stubGlobal('fetch', fetched);
  dropSession();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: ApiError) => error,
  );

test('the payload of an ok answer, asked for below /api with the bearer token', async () => {
  signIn({ token: 'a.b.c', rememberMe: true });
  answer = json({ status: 'ok', count: { today: 3 } });
  expect(await request('GET', '/jobs/count')).toMatchObject({ count: { today: 3 } });
  const [path, init] = fetched.mock.calls[0] ?? [];
  expect(path).toBe('/api/jobs/count');
  expect(init?.headers).toMatchObject({ authorization: 'Bearer a.b.c' });
  expect(init?.body).toBeNull();
});

test('a body goes out as JSON, without a token where there is none', async () => {
  answer = json({ status: 'ok' });
  await request('POST', '/authenticate/login', { body: { email: 'dave@acme.example', password: 'x' } });
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({
    body: '{"email":"dave@acme.example","password":"x"}',
    headers: { 'content-type': 'application/json' },
  });
  expect(fetched.mock.calls[0]?.[1].headers).not.toHaveProperty('authorization');
});

test("an error carries the server's message, its fields and when to come back", async () => {
  answer = json({ status: 'error', message: 'Too many', fields: { email: 'Bad' } }, 429, {
    'retry-after': '7',
  });
  const error = await failure(request('GET', '/jobs'));
  expect(error).toMatchObject({
    message: 'Too many',
    status: 429,
    fields: { email: 'Bad' },
    retryAfter: 7,
    isTransient: true,
  });
});

test('an answer whose status is not ok is an error, whatever the HTTP status', async () => {
  answer = json({ status: 'error', message: 'No' });
  expect(await failure(request('GET', '/jobs'))).toMatchObject({ message: 'No', isTransient: false });
});

test.each([
  ['no connection', () => Promise.reject(new TypeError('fetch failed')), 0],
  ['a page instead of JSON', () => new Response('<html>', { status: 502 }), 502],
  ['an error without a message', json({ status: 'error' }, 500), 500],
] as const)('%s is described in our words', async (_name, given, status) => {
  answer = given;
  expect(await failure(request('GET', '/jobs'))).toMatchObject({
    message: 'An error has occurred, please try again later',
    status,
  });
});

test('a request that got no answer in time is one without an answer, one that its caller gave up is none', async () => {
  const timeout = new DOMException('The operation timed out.', 'TimeoutError');
  answer = () => Promise.reject(timeout);
  expect(await failure(request('GET', '/jobs', { signal: AbortSignal.abort(timeout) }))).toMatchObject({
    status: 0,
  });
  const given = new DOMException('The operation was aborted.', 'AbortError');
  answer = () => Promise.reject(given);
  await expect(request('GET', '/jobs', { signal: AbortSignal.abort(given) })).rejects.toBe(given);
});

test('any 403 drops the session and goes to the login, and the caller gets no answer', async () => {
  signIn({ token: 'dead', rememberMe: true });
  answer = json({ status: 'error', message: 'Session timed out' }, 403);
  const settled = vi.fn();
  void request('GET', '/jobs').then(settled, settled);
  await expect.poll(() => replace).toHaveBeenCalled();
  expect(replace).toHaveBeenCalledExactlyOnceWith(
    '/login?error=session-timed-out&next=%2Fjobs%2Fall%3Fsearch%3Dtap',
  );
  expect($session.get()).toBeNull();
  void request('GET', '/jobs').then(settled, settled);
  await new Promise((resolve) => setImmediate(resolve));
  expect(settled).not.toHaveBeenCalled();
  expect(fetched).toHaveBeenCalledTimes(1);
});

test('a path that the API does not have does not compile', async () => {
  const unknown = () =>
    // @ts-expect-error -- there is no such operation
    request('GET', '/jobs/1/nothing');
  expect(unknown).toBeTypeOf('function');
  // @ts-expect-error -- the answer has no such field
  const renamed = async () => (await request('GET', '/jobs/count')).counts;
  expect(renamed).toBeTypeOf('function');
});
