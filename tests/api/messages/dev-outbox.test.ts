import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { mailOf } from '#api/outbox/mail-layout.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient } from '#tests/support/app/api-client.ts';
import { testDelivery } from '#tests/support/app/messages.ts';

const id = '0198c0de-0000-7000-8000-000000000001';
const marker = 'marker-token-of-a-link';

let app: TestApp;
/** What the pages were given. */
let locals: Record<string, any> = {};

beforeAll(async () => {
  app = await testApp({
    pages: async (_request, init) => {
      locals = init.locals ?? {};
      return new Response('a page');
    },
  });
  const { mail, sms } = testDelivery(app);
  const letter = mailOf({
    to: 'dave@acme.example',
    subject: 'Hello',
    heading: '<script>alert(1)</script>',
    paragraphs: ['A tap leaks.'],
    action: { label: 'Open', url: `http://localhost:4321/reset-password?t=${marker}` },
    why: 'You asked for it.',
  });
  await mail.send(letter, `<${id}@localhost>`);
  await mail.send(letter, `<${id}@localhost>`);
  await sms.send({ to: '+61491570156', text: 'Your code is 123456' }, 'an-sms');
});
afterAll(() => app?.close());

test('the pages show every message, newest first, each once however often it came', async () => {
  await app.get('/dev/outbox');
  expect(locals['outbox']).toMatchObject([
    { id: 'an-sms', channel: 'sms', to: '+61491570156', text: 'Your code is 123456' },
    { id, channel: 'mail', to: 'dave@acme.example', subject: 'Hello' },
  ]);
  await app.get(`/dev/outbox/${id}`);
  expect(locals['outboxMessage']).toMatchObject({ id, text: expect.stringContaining(marker) });
  await app.get('/dev/outbox/unknown');
  expect(locals).toEqual({});
});

test('scripts read them as JSON, all or those to one address', async () => {
  const ids = async (query: string) =>
    (await app.get(`/dev/outbox/messages.json${query}`)).body.messages.map((one: { id: string }) => one.id);
  expect(await ids('')).toEqual(['an-sms', id]);
  expect(await ids('?to=dave%40acme.example')).toEqual([id]);
  expect(await ids('?to=%2B61491570156')).toEqual(['an-sms']);
  expect(await ids('?to=nobody%40acme.example')).toEqual([]);
  expect((await app.get('/dev/outbox/newest.json')).body).toEqual({ newest: 'an-sms' });
});

test('a mail’s HTML is shown in a frame of ours, where nothing runs and links open elsewhere', async () => {
  const { headers, text } = await app.get(`/dev/outbox/${id}/html`);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox allow-popups');
  expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
  expect(text).toContain('<base target="_blank">');
  expect(text).toContain('&lt;script&gt;');
  expect((await app.get('/dev/outbox/an-sms/html')).status).toBe(404);
});

test('at rest nothing of a message can be read', async () => {
  const { rows } = await app.deps.db.query('select t::text from state.outbox_page t');
  expect(rows).toHaveLength(2);
  const text = JSON.stringify(rows);
  for (const word of [marker, 'dave@acme.example', '61491570156', 'code is 123456', 'tap leaks']) {
    expect(text).not.toContain(word);
    expect(text).not.toContain(Buffer.from(word).toString('hex'));
  }
});

test('in production there is no such page', async () => {
  const config = { ...app.deps.config, environment: 'production' } as const;
  const production = apiClient(createApp({ ...app.deps, config }));
  locals = {};
  await production.get('/dev/outbox');
  await production.get(`/dev/outbox/${id}`);
  expect(locals).toEqual({});
  for (const path of ['/dev/outbox/messages.json', `/dev/outbox/${id}/html`]) {
    expect((await production.get(path)).text).toBe('a page');
  }
});

describe('the messages are for this machine alone', () => {
  const paths = ['/dev/outbox', `/dev/outbox/${id}`, `/dev/outbox/${id}/html`];
  const all = [...paths, '/dev/outbox/messages.json', '/dev/outbox/newest.json'];
  const onlyLocally = 'The outbox answers only to the names localhost, 127.0.0.1 and [::1]';

  test.each([...['localhost', 'localhost:4321', 'LOCALHOST:80', '127.0.0.1:65535', '[::1]:4321', '[::1]']])(
    'it answers as %s',
    async (host) => {
      for (const path of all) expect((await app.get(path, { host })).status, path).toBe(200);
      const { status } = await apiClient(app.app, {}, `http://${host}`).get('/dev/outbox/newest.json');
      expect(status).toBe(200);
    },
  );

  test.each([
    ...['rebound.example:4321', 'localhost.evil.example', '127.0.0.1.nip.example', 'localhost@evil.example'],
    ...['10.0.0.7:4321', '0.0.0.0:4321', '[::2]:4321', '', 'localhost:4321:80', '127.0.0.2'],
  ])('a page that calls it %s reads nothing', async (host) => {
    for (const path of all) {
      const { status, body, text } = await app.get(path, { host });
      expect([status, body.message], path).toEqual([404, onlyLocally]);
      expect(text).not.toContain(marker);
    }
  });

  test('nor does one behind a proxy that hands on another name', async () => {
    const { status } = await app.get('/dev/outbox', {
      host: 'localhost',
      'x-forwarded-host': 'tunnel.example',
    });
    expect(status).toBe(404);
    expect((await apiClient(app.app, {}, 'http://rebound.example').get('/dev/outbox')).status).toBe(404);
  });

  test.each([
    [{ host: '0.0.0.0' }, 'HOST is 0.0.0.0'],
    [{ host: '::' }, 'HOST is ::'],
    [{ host: '192.168.1.20' }, 'HOST is 192.168.1.20'],
    [{ publicOrigin: 'https://jobs.example.com' }, 'PUBLIC_ORIGIN is https://jobs.example.com'],
    [{ publicOrigin: 'http://192.168.1.20:4321' }, 'PUBLIC_ORIGIN is http://192.168.1.20:4321'],
  ])('where others reach the process it is closed, and says why: %o', async (changed, reason) => {
    const reached = apiClient(createApp({ ...app.deps, config: { ...app.deps.config, ...changed } }));
    for (const path of all) {
      const { status, body } = await reached.get(path);
      expect(status, path).toBe(404);
      expect(body.message).toContain(`The outbox is closed: ${reason}`);
      expect(body.message).not.toContain('\n');
    }
  });

  test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('HOST=%s is this machine', async (host) => {
    const here = apiClient(createApp({ ...app.deps, config: { ...app.deps.config, host } }));
    expect((await here.get('/dev/outbox')).status).toBe(200);
  });

  test('an id that is no text is an address that cannot be', async () => {
    for (const path of ['/dev/outbox/%00', '/dev/outbox/%ff/html', '/dev/outbox/messages.json?to=%00'])
      expect((await app.get(path)).status, path).toBe(400);
  });
});
