import { readFileSync } from 'node:fs';
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import type { PageRenderer } from '#api/deps.ts';
import { withPublicForms } from '#api/intake/public-form/form-pages.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { codeFiles, isTest } from '#tests/architecture/source-files.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer, Client } from '#tests/support/app/api-client.ts';
import { type LiveReader, readLive } from '#tests/support/app/streams.ts';
import { dataUrl, png } from '#tests/support/scenarios/files.ts';
import { aJobRequest, aTicket, requestedJob, sendForm } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app?.close());

describe('malformed', () => {
  let api: TestApp;
  let dave: SignedIn;

  beforeAll(async () => {
    api = app;
    dave = await api.signIn();
  });

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
});

describe('hostile input', () => {
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

  let acme: SignedIn;
  let ticket: string;
  let jobId: string;
  let head: string;
  beforeAll(async () => {
    acme = await app.signIn();
    jobId = await requestedJob(app, acme);
    ticket = await aTicket(app);
  });
  beforeEach(async () => {
    head = await app.deps.store.head();
  });

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
});

describe('only dead sessions', () => {
  const UNKNOWN = '0198c0de-0000-7000-8000-000000000000';
  /** What a path's parameters are tried with, and what a body is: none of it is what the route wants. */
  const values = ['x', "'--"];
  const bodies = [
    undefined,
    {},
    [],
    null,
    { email: 7 },
    { token: 'x', newPassword: 'x', confirmPassword: 'y' },
  ];
  const headers = [{ 'x-rid': 'x'.repeat(43) }, { 'x-bot-check': 'x' }, { 'idempotency-key': 'x' }];

  let api: TestApp;
  let dave: SignedIn;
  beforeAll(async () => {
    api = app;
    dave = await api.signIn();
  });

  type Route = Readonly<{ method: string; path: string }>;

  /** Every route but those that end the session which is used here, never end, or wait for a sender of messages. */
  function routes(): Route[] {
    const apart = [
      ...['POST /api/authenticate/logout', 'GET /api/live', 'POST /api/settings/notifications/test'],
    ];
    return api.app.routes
      .filter(({ method, path }) => method !== 'ALL' && !apart.includes(`${method} ${path}`))
      .map(({ method, path }) => ({ method, path }));
  }

  /** One request per value, body and header, each odd in one way. */
  async function tryAll(
    client: Client,
    { method, path }: Route,
  ): Promise<[what: string, status: number, text: string][]> {
    const seen: [string, number, string][] = [];
    const send = async (value: string, body: unknown, extra: Record<string, string>) => {
      const url = path.replace(/:[a-zA-Z]+|\*/g, value);
      const json = body === undefined || method === 'GET' ? {} : { body: JSON.stringify(body) };
      const answer = await client.send(method, url, {
        ...json,
        headers: { 'content-type': 'application/json', ...extra },
      });
      seen.push([`${method} ${url} ${JSON.stringify(body)}`, answer.status, answer.text]);
    };
    for (const value of values) await send(value, bodies[1], {});
    for (const body of bodies) await send(UNKNOWN, body, {});
    for (const extra of headers) await send(UNKNOWN, {}, extra as Record<string, string>);
    return seen;
  }

  describe('403 means a dead session and nothing else', () => {
    test('there are routes to try', () => {
      expect(routes().length).toBeGreaterThan(30);
    });

    test('a signed-in client never gets one, whatever it sends', async () => {
      for (const route of routes()) {
        for (const [what, status] of await tryAll(dave, route)) {
          expect(status, what).not.toBe(403);
          expect(status, what).toBeLessThan(500);
        }
      }
      expect((await dave.get('/api/authenticate')).status).toBe(200);
    });

    test('a client that is not signed in gets it from every route that needs a session, in one sentence, and from no other', async () => {
      const stranger = api.as({ authorization: 'Bearer of-a-session-that-never-was-one' });
      for (const route of routes()) {
        const said = await tryAll(stranger, route);
        const refused = said.filter(([, status]) => status === 403);
        expect([0, said.length], `${route.method} ${route.path}`).toContain(refused.length);
        for (const [what, , text] of refused) {
          expect(JSON.parse(text), what).toMatchObject({ status: 'error', message: 'Session timed out' });
        }
      }
    });

    test('only one place in the code says 403', () => {
      const product = codeFiles.filter((file) => /^(api|core|projections)\//.test(file) && !isTest(file));
      const saying = product.filter((file) =>
        /(?<![\d.])403(?!\d)/.test(readFileSync(file, 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')),
      );
      expect(saying).toEqual(['api/http/answers.ts']);
    });
  });
});

describe('tokens', () => {
  let api: TestApp;
  let dave: SignedIn;
  let eve: SignedIn;
  let sessionId: string;

  beforeAll(async () => {
    api = app;
    dave = await api.signIn();
    eve = await api.signIn();
    sessionId = (await dave.get('/api/authenticate/sessions')).body.sessions[0].id;
  });

  type Claims = Partial<Record<'iss' | 'aud' | 'sub' | 'jti', string>> & { exp?: number | null };

  function claims({ exp, ...changed }: Claims = {}) {
    const soon = Math.floor(Date.now() / 1000) + 600;
    return {
      ...{ iss: 'ute', aud: 'web', sub: dave.accountId, jti: sessionId },
      ...(exp === null ? {} : { exp: exp ?? soon }),
      ...changed,
    };
  }

  const sign = (payload: object, { key = api.deps.config.keys.token, alg = 'HS256' } = {}) =>
    new SignJWT({ ...payload }).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);

  const ask = (token: string) => api.as({ authorization: `Bearer ${token}` }).get('/api/authenticate');

  test('a token made as the server makes it is good', async () => {
    expect((await ask(await sign(claims()))).status).toBe(200);
  });

  test.each<[string, () => Promise<string> | string]>([
    ['without a signature (alg none)', () => new UnsecuredJWT(claims()).encode()],
    ['signed with another key', () => sign(claims(), { key: Buffer.alloc(32, 7) })],
    ['signed with another of our keys', () => sign(claims(), { key: api.deps.config.keys.botCheck })],
    ['with another algorithm', () => sign(claims(), { alg: 'HS512' })],
    ['for another audience', () => sign(claims({ aud: 'chatbot' }))],
    ['of another issuer', () => sign(claims({ iss: 'somebody' }))],
    ['that has expired', () => sign(claims({ exp: Math.floor(Date.now() / 1000) - 120 }))],
    ['that never expires', () => sign(claims({ exp: null }))],
    ['without a session', () => sign({ ...claims(), jti: undefined })],
    ['without an account', () => sign({ ...claims(), sub: undefined })],
    ['of an unknown session', () => sign(claims({ jti: 'x'.repeat(43) }))],
    ['of another account’s session', () => sign(claims({ sub: eve.accountId }))],
    // The last letter of a signature has two bits that mean nothing: the first counts in full.
    [
      'with a changed letter',
      () => dave.token.replace(/(?<=\.)[^.](?=[^.]*$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
    ],
    ['that is no token', () => 'x'.repeat(60)],
    ['that is empty', () => ''],
  ])('a token %s is a dead session', async (_name, make) => {
    const answer = await ask(await make());
    expect(answer.status).toBe(403);
    expect(answer.body.message).toBe('Session timed out');
  });

  test('a token in the address opens nothing', async () => {
    expect((await api.get(`/api/authenticate?token=${dave.token}`)).status).toBe(403);
  });

  test('a client that is not signed in learns nothing of a route’s input', async () => {
    expect((await api.put('/api/jobs/nonsense', { status: 7 })).status).toBe(403);
  });
});

describe('freshness', () => {
  /** As long as a person may wait for it, in milliseconds: five times what is promised. */
  const SOON = 5_000;

  let api: TestApp;
  let acme: SignedIn;
  let elsewhere: Awaited<ReturnType<typeof anotherProcess>>;

  /** Stands where Astro is: shows what a page shows of a business. */
  const astro: PageRenderer = async (_, { locals = {} }) => {
    const form = await (locals.publicForm as () => Promise<PublicForm | null>)();
    if (!form) return new Response(null, { status: 404 });
    const { name, intro, theme, logoUrl, slug } = form;
    return new Response(JSON.stringify({ name, intro, theme, logoUrl, slug }));
  };

  /** A second process on the same database, listening: it has a memory of pages of its own, and is notified by the database alone. */
  async function anotherProcess() {
    const { db, store } = api.deps;
    const readSide = createReadSide({ pool: db, connectionString: api.databaseUrl, store });
    await new Promise<void>((resolve) => readSide.onGap(resolve));
    const deps = { ...api.deps, readSide };
    return { readSide, app: createApp(deps), pages: withPublicForms(astro, deps) };
  }

  beforeAll(async () => {
    api = await testApp();
    acme = await api.signIn({ plan: 'plus' });
    elsewhere = await anotherProcess();
  });
  afterAll(async () => {
    await elsewhere?.readSide.close();
    await api?.close();
  });

  let slug = '';
  const page = async () => {
    const request = new Request(`http://localhost/t/${slug || acme.slug}`);
    const answer = await elsewhere.pages(request, { clientAddress: '203.0.113.9' });
    return answer.status === 200 ? JSON.parse(await answer.text()) : {};
  };
  /** Opens the live stream as another tab of the owner's does, served by the other process. */
  async function anotherTab(): Promise<LiveReader> {
    const headers = { authorization: `Bearer ${acme.token}` };
    const live = readLive(await elsewhere.app.handle(new Request('http://localhost/api/live', { headers })));
    await live.until(': open');
    return live;
  }

  const details = { bn: '51824753556', name: 'Acme Plumbing Pty Ltd' };
  const changes = [
    [
      'name',
      'profile',
      () => ({ bn: { ...details, tradingName: 'Acme & Daughter' } }),
      { name: 'Acme & Daughter' },
    ],
    ['words', 'profile', () => ({ intro: 'Hot water only' }), { intro: 'Hot water only' }],
    ['words of the first step', 'intro', () => ({ intro: 'Gas too' }), { intro: 'Gas too' }],
    ['colour', 'branding', () => ({ theme: '#C21313' }), { theme: '#C21313' }],
    [
      'logo',
      'branding',
      () => ({ logo: dataUrl(png(30, 30)) }),
      { logoUrl: expect.stringMatching(/^\/logos\//) },
    ],
    ['address', 'branding', () => ({ slug: 'acme-elsewhere' }), { slug: 'acme-elsewhere' }],
  ] as const;

  describe.each(changes)('another %s', (_, call, body, shown) => {
    test('is on the public page and in other tabs within a second, in every process', async () => {
      const before = await page();
      const live = await anotherTab();
      const answer = await acme.put(`/api/settings/${call}`, body());
      expect(answer.status).toBe(200);
      expect(answer.headers.has('x-read-model')).toBe(false);
      const text = await live.until(/"kind":"business"/, SOON);
      expect(text).toContain(acme.businessId);
      await live.cancel();
      slug = 'slug' in shown ? shown.slug : slug;
      await expect.poll(page, { timeout: SOON, interval: 20 }).toEqual({ ...before, ...shown });
    });
  });

  test('another name of the person is shown in other tabs', async () => {
    const live = await anotherTab();
    await acme.put('/api/settings/profile', { firstName: 'Davina', onboarding: false });
    await live.until(/"kind":"account"/, SOON);
    await live.cancel();
  });
});
