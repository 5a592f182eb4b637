import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { unsubscribeToken } from '#api/announcements/unsubscribe.ts';
import { linkPages } from '#api/app.ts';
import type { PageRenderer } from '#api/deps.ts';
import { withLinkPages } from '#api/pages/cached-pages.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { readLive } from '#tests/support/app/api-client.ts';

const oneClick = { 'List-Unsubscribe': 'One-Click' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

let app: TestApp;
let dave: SignedIn;

/** Stands where Astro is: shows what it was given. */
const astro: PageRenderer = async (_request, { status = 200, locals = {} }) =>
  Response.json(locals, { status });

beforeAll(async () => {
  const pages: PageRenderer = (request, init) => withLinkPages(astro, linkPages(app.deps))(request, init);
  app = await testApp({ pages, env: { RATE_LIMITS: 'on' } });
});
beforeEach(async () => {
  dave = await app.signIn();
});
afterAll(() => app?.close());

function linkOf({ accountId }: SignedIn, kind: 'newsletter' | 'product-update' = 'newsletter'): string {
  return `/unsubscribe/${unsubscribeToken(app.deps.config, { accountId, kind })}`;
}

function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields).toString();
  return app.send('POST', path, { body, headers: { ...formType, ...headers } });
}

const togglesOf = async (owner: SignedIn) =>
  (await owner.get('/api/settings/notifications')).body.notifications;
const eventsOf = ({ accountId }: SignedIn) => app.deps.store.readStream(streamName('account', accountId));

test('one press of a mail program turns it off: no session, no cookie, no redirect', async () => {
  const answer = await post(linkOf(dave), oneClick);
  expect(answer).toMatchObject({ status: 200, text: 'You are unsubscribed from the newsletter.\n' });
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await togglesOf(dave)).toMatchObject({ newsletter: false, productUpdates: true, email: true });

  await post(linkOf(dave, 'product-update'), oneClick);
  expect(await togglesOf(dave)).toMatchObject({ newsletter: false, productUpdates: false, email: true });
});

test('the form may come as multipart, which RFC 8058 prefers', async () => {
  const body = new FormData();
  body.set('List-Unsubscribe', 'One-Click');
  expect((await app.send('POST', linkOf(dave), { body })).status).toBe(200);
  expect((await togglesOf(dave)).newsletter).toBe(false);
});

test('a mail program in a browser is on another site, and is heard', async () => {
  const from = { origin: 'https://mail.example.com', 'sec-fetch-site': 'cross-site' };
  expect((await post(linkOf(dave), oneClick, from)).status).toBe(200);
  expect((await togglesOf(dave)).newsletter).toBe(false);
});

test('the same press again, and many at once, are one event', async () => {
  const before = (await eventsOf(dave)).length;
  const presses = Array.from({ length: 8 }, () => post(linkOf(dave), oneClick));
  expect((await Promise.all(presses)).map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect((await post(linkOf(dave), oneClick)).status).toBe(200);
  const added = (await eventsOf(dave)).slice(before);
  expect(added.map(({ event }) => event?.type)).toEqual(['NotificationsChanged']);
  expect(added[0]?.metadata.actor).toBe(`account:${dave.accountId}`);
});

test('a page that shows the settings is notified', async () => {
  const headers = { authorization: `Bearer ${dave.token}` };
  const live = readLive(await app.app.handle(new Request('http://localhost/api/live', { headers })));
  await live.until(': open');
  await post(linkOf(dave), oneClick);
  expect(await live.until('"kind":"account"')).toContain('event: change');
  await live.cancel();
});

test('looking changes nothing, by whatever looks', async () => {
  const before = (await eventsOf(dave)).length;
  for (const method of ['GET', 'HEAD']) {
    expect((await app.send(method, linkOf(dave))).status).toBe(200);
    expect((await app.send(method, `${linkOf(dave)}?List-Unsubscribe=One-Click`)).status).toBe(200);
  }
  expect((await app.get(linkOf(dave))).body.unsubscribeLink).toEqual({ what: 'the newsletter', state: 'on' });
  expect(await eventsOf(dave)).toHaveLength(before);
});

test('the button of the page turns it off, and the page says so', async () => {
  const path = linkOf(dave, 'product-update');
  const pressed = await post(path, { from: 'page' });
  expect([pressed.status, pressed.headers.get('location')]).toEqual([303, path]);
  expect((await app.get(path)).body.unsubscribeLink).toEqual({ what: 'product updates', state: 'off' });
  const back = await dave.put('/api/settings/notifications', { productUpdates: true });
  expect(back.body.notifications.productUpdates).toBe(true);
});

test('a post that says nothing turns nothing off', async () => {
  const before = (await eventsOf(dave)).length;
  const wrong: [string, string][] = [
    ...[
      ['', ''] as [string, string],
      ['List-Unsubscribe=Two-Click', formType['content-type']] as [string, string],
    ],
    ...[
      ['List-Unsubscribe=One-Click', 'text/plain'] as [string, string],
      ['{}', 'application/json'] as [string, string],
    ],
    ['--x\r\nbroken', 'multipart/form-data; boundary=x'],
  ];
  for (const [body, type] of wrong) {
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    expect((await app.send('POST', linkOf(dave), { body, headers })).status, type).toBe(400);
  }
  const long = { ...oneClick, more: 'x'.repeat(5_000) };
  expect((await post(linkOf(dave), long)).status).toBe(413);
  expect(await eventsOf(dave)).toHaveLength(before);
});

test('a link that is none opens nothing', async () => {
  const stranger = unsubscribeToken(app.deps.config, { accountId: crypto.randomUUID(), kind: 'newsletter' });
  for (const token of ['nonsense', 'x'.repeat(44), stranger]) {
    const page = await app.get(`/unsubscribe/${token}`);
    expect([page.status, page.body.unsubscribeLink]).toEqual([404, null]);
    expect((await post(`/unsubscribe/${token}`, oneClick)).status).toBe(404);
  }
});

test('pressing without end is answered when to come back, and shuts no other reader out', async () => {
  const presses = Array.from({ length: 31 }, () => post(linkOf(dave), oneClick));
  const refused = (await Promise.all(presses)).filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await post(linkOf(dave), { from: 'page' })).body.notice).toContain('Too many');
  const mere = await app.signIn();
  expect((await post(linkOf(mere), oneClick)).status).toBe(200);
});
