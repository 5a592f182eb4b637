import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { announce, rehearse } from '#api/announcements/announce.ts';
import {
  type Announcement,
  announcementProgress,
  cancelAnnouncement,
} from '#api/announcements/announcements.ts';
import { listMessages } from '#api/outbox/delivery-status.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import type { Mail } from '#api/providers/messages.ts';
import { accountDecider } from '#core/account/decider.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import type { Notifications } from '#core/values/account.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { aNewsletter, aPace, type Owner, openOwners, testDelivery } from '#tests/support/app/messages.ts';

const env = { PUBLIC_ORIGIN: 'https://jobs.example.com' };
let time = Date.parse('2026-11-20T01:00:00.000Z');
let app: TestApp;
let owners: Owner[];
let sent: { mail: Mail; id: string }[];

beforeAll(async () => {
  app = await testApp({ env, now: () => new Date(time) });
  owners = await openOwners(app.deps, 5);
  await app.settle();
});
beforeEach(async () => {
  await app.deps.db.query('delete from state.outbox');
  sent = [];
});
afterAll(() => app?.close());

const tell = (announcement: Announcement, changes = {}) => announce(app.deps, announcement, aPace(changes));
/** A second later, when what was queued at this pace is due. */
function deliver(): Promise<number> {
  time += 1_000;
  const send = async (mail: Mail, id: string) => void sent.push({ mail, id });
  return deliverDue(testDelivery(app, { mail: { name: 'test', send } }));
}
const recipients = () => sent.map(({ mail }) => mail.to).toSorted();
const emails = (of: readonly Owner[]) => of.map(({ email }) => email).toSorted();
const progressOf = async ({ id }: Announcement) =>
  (await announcementProgress(app.deps.db)).find((one) => one.id === id);

async function turn({ accountId }: Owner, notifications: Partial<Notifications>): Promise<void> {
  const command = {
    type: 'ChangeNotifications',
    at: app.deps.now().toISOString(),
    data: { accountId, notifications },
  } as const;
  const cause = { commandId: crypto.randomUUID(), actor: `account:${accountId}`, correlation: 'test' };
  await handleCommand(app.deps.store, accountDecider, streamName('account', accountId), command, cause);
}

test('goes to everybody who wants such things, with what it takes to be rid of it', async () => {
  const news = aNewsletter({ subject: 'Māori café ✓', body: 'Have a look.\n\n[Open it](/profile)' });
  const asked: [number, number][] = [];
  const onProgress = (done: number, of: number) => void asked.push([done, of]);
  expect(await tell(news, { onProgress })).toEqual({ queued: 5, already: 0, optedOut: 0 });
  expect(asked).toEqual([[5, 5]]);
  await deliver();
  expect(recipients()).toEqual(emails(owners));
  const { headers = {}, text, html, subject } = sent[0]?.mail as Mail;
  expect(subject).toBe('Māori café ✓');
  expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  const [, url = '', token] =
    /^<(https:\/\/jobs\.example\.com\/unsubscribe\/([\w-]{44}))>, </.exec(
      headers['List-Unsubscribe'] ?? '',
    ) ?? [];
  expect(headers['List-Unsubscribe']).toBe(
    `<${url}>, <mailto:jobs@ute.example?subject=Unsubscribe%20${token}>`,
  );
  expect(headers['List-Id']).toBe('<newsletter.jobs.example.com>');
  for (const words of [
    'Have a look.',
    'https://jobs.example.com/profile',
    'Unsubscribe from the newsletter',
    url,
  ])
    for (const part of [text, html]) expect(part).toContain(words);
  expect(text).toContain('To reach Ute, answer this email or call 1800 975 707.');
  expect(sent[0]?.mail.replyTo).toBe('jobs@ute.example');
  for (const { accountId, email } of owners)
    expect(headers['List-Unsubscribe']).not.toMatch(new RegExp(`${accountId}|${email}`));
});

test('an account that turned it off is left out, also after it was queued, and what else they want goes on', async () => {
  const [early, late] = owners as [Owner, Owner];
  await turn(early, { newsletter: false });
  const news = aNewsletter();
  expect(await rehearse(app.deps, news, aPace())).toEqual({ queued: 4, already: 0, optedOut: 1 });
  expect(await progressOf(news)).toBeUndefined();
  expect(await tell(news)).toEqual({ queued: 4, already: 0, optedOut: 1 });
  await turn(late, { newsletter: false });
  await deliver();
  expect(recipients()).toEqual(emails(owners.slice(2)));
  expect(await progressOf(news)).toMatchObject({ sent: 3, discarded: 1, waiting: 0 });
  const all = ['waiting', 'sent', 'discarded', 'dead'] as const;
  expect(await listMessages(app.deps.db, all, 10)).toEqual([]);

  sent = [];
  await tell(aNewsletter({ kind: 'product-update' }));
  await deliver();
  expect(recipients()).toEqual(emails(owners));
  for (const owner of [early, late]) await turn(owner, { newsletter: true });
});

test('who unticked the box while registering, cannot sign in, or has no business yet gets nothing', async () => {
  const other = await testApp({ env, now: () => new Date(time) });
  try {
    await openOwners(other.deps, 1, { newsletter: false });
    const locked = (await openOwners(other.deps, 1)).map(({ accountId }) => accountId);
    await other.deps.db.query('delete from state.credentials where account_id = any($1)', [locked]);
    const [accountId, businessId] = [crypto.randomUUID(), crypto.randomUUID()];
    const data = {
      accountId,
      businessId,
      email: 'half@acme.example',
      phone: '+61412999990',
      firstName: 'H',
      lastName: 'O',
    };
    const command = { type: 'OpenAccount', at: other.deps.now().toISOString(), data } as const;
    const cause = { commandId: crypto.randomUUID(), actor: 'seed', correlation: 'test' };
    await handleCommand(other.deps.store, accountDecider, streamName('account', accountId), command, cause);
    await other.settle();
    expect(await announce(other.deps, aNewsletter(), aPace())).toEqual({
      queued: 0,
      already: 0,
      optedOut: 1,
    });
  } finally {
    await other.close();
  }
});

test('an account that cannot be read is left out, and holds up no other', async () => {
  const [spoilt] = owners as [Owner];
  const readStream: TestApp['deps']['store']['readStream'] = async (stream, from) => {
    const recorded = await app.deps.store.readStream(stream, from);
    if (stream !== streamName('account', spoilt.accountId)) return recorded;
    return recorded.map(({ event: _, ...rest }) => ({ ...rest, unreadable: 'its key is gone' }));
  };
  const deps = { ...app.deps, store: { ...app.deps.store, readStream } };
  const asked: [number, number][] = [];
  const onProgress = (done: number, of: number) => void asked.push([done, of]);
  expect(await announce(deps, aNewsletter(), aPace({ onProgress }))).toEqual({
    ...{ queued: 4, already: 0, optedOut: 0 },
  });
  expect(asked).toEqual([[5, 5]]);
});

test('repeated, and several at once, it reaches everybody once', async () => {
  const news = aNewsletter();
  const runs = await Promise.all([tell(news), tell(news), tell(news)]);
  expect(runs.reduce((sum, { queued }) => sum + queued, 0)).toBe(5);
  await Promise.all([deliver(), deliver()]);
  expect(await tell(news)).toEqual({ queued: 0, already: 5, optedOut: 0 });
  await deliver();
  expect(recipients()).toEqual(emails(owners));
});

test('an id stands for one text, and one that was cancelled for none', async () => {
  const news = aNewsletter();
  await tell(news);
  for (const other of [{ body: 'Three things.' }, { subject: 'Newer' }, { kind: 'product-update' } as const])
    await expect(tell({ ...news, ...other })).rejects.toThrow(ConflictError);
  expect(await cancelAnnouncement(app.deps.db, news.id, app.deps.now())).toBe(5);
  await deliver();
  expect(sent).toEqual([]);
  await expect(tell(news)).rejects.toThrow('cancelled');
  expect(await progressOf(news)).toMatchObject({ cancelled: 5, sent: 0, waiting: 0 });
  expect(await cancelAnnouncement(app.deps.db, 'unheard-of', app.deps.now())).toBeNull();
});

test('no more go out in a minute than the operator wants, however often it is begun', async () => {
  const news = aNewsletter();
  await tell(news, { perMinute: 2 });
  await tell(news, { perMinute: 2 });
  const perMinute: number[] = [];
  for (let minute = 0; minute < 3; minute += 1) {
    perMinute.push(await deliver());
    time += 60_000;
  }
  expect(perMinute).toEqual([1, 2, 2]);
});
