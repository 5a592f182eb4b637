import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createWeeklyRecords } from '#api/announcements/messages.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import { findCheckpoint } from '#api/proof/read.ts';
import type { Mail } from '#api/providers/messages.ts';
import { openNote, parseVkey } from '#core/crypto/note.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { testDelivery } from '#tests/support/app/messages.ts';
import { signLog } from '#tests/support/operations/record-recipes.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

/** 07:00 of Monday, 23 November 2026, in Melbourne, where the businesses of the tests are. */
const monday = Date.parse('2026-11-22T20:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;

let app: TestApp;
let time = monday - 2 * day;
let owner: SignedIn;
let idle: SignedIn;
let sent: { mail: Mail; id: string }[];

beforeAll(async () => {
  app = await testApp({ env: { PUBLIC_ORIGIN: 'https://jobs.example.com' }, now: () => new Date(time) });
});
beforeEach(async () => {
  time = monday - 2 * day;
  sent = [];
  [owner, idle] = [await app.signIn(), await app.signIn()];
  await requestedJob(app, owner);
  await app.settle();
});
afterAll(() => app?.close());

/** As another process would, which has queued nothing yet. */
const queue = () => createWeeklyRecords()(app.deps);
async function mails(at: number): Promise<Mail[]> {
  time = at;
  await queue();
  time += 10 * minute;
  const send = async (mail: Mail, id: string) => void sent.push({ mail, id });
  await deliverDue(testDelivery(app, { mail: { name: 'test', send } }));
  return sent.map(({ mail }) => mail).filter(({ subject }) => subject === 'Your weekly record');
}
const toOwner = async (at: number) => (await mails(at)).filter(({ to }) => to === owner.email);

test('nothing goes out before anything was signed', async () => {
  expect(await mails(monday)).toEqual([]);
});

test('on Monday at 07:00 the newest checkpoint goes to those who had work, as it was signed, once', async () => {
  await signLog(app);
  expect(await toOwner(monday - minute)).toEqual([]);
  const found = await mails(monday);
  expect(found.map(({ to }) => to)).toContain(owner.email);
  expect(found.map(({ to }) => to)).not.toContain(idle.email);
  const [mail] = found.filter(({ to }) => to === owner.email);
  const checkpoint = await findCheckpoint(app.deps.db);
  expect(mail?.attachments).toEqual([{ name: 'checkpoint.txt', text: checkpoint?.note }]);
  const vkey = /^\S+\+[0-9a-f]{8}\+\S+$/m.exec(mail?.text ?? '')?.[0] ?? '';
  const key = parseVkey(vkey);
  expect(mail?.text).toContain(`, ${vkey.split('+')[1]} for short`);
  expect(key && openNote(mail?.attachments?.[0]?.text ?? '', [key])?.signatures).toHaveLength(1);
  expect(mail?.text).toContain('https://jobs.example.com/check');
  const { rows } = await app.deps.db.query('select holder, size from proof.handed_out where holder = $1', [
    `business-${owner.businessId}`,
  ]);
  expect(rows).toEqual([{ holder: `business-${owner.businessId}`, size: String(checkpoint?.size) }]);

  for (const later of [minute, 60 * minute, day]) await mails(monday + later);
  expect(
    sent.filter(({ mail: { to, subject } }) => to === owner.email && /weekly/.test(subject)),
  ).toHaveLength(1);
});

test('an old job that was accepted in that week is work', async () => {
  time = monday - 10 * day;
  const [accepting, waiting] = [await app.signIn(), await app.signIn()];
  const jobId = await requestedJob(app, accepting);
  await requestedJob(app, waiting);
  await app.settle();
  time = monday - day;
  const { email, password } = accepting;
  const { token } = (await app.post('/api/authenticate/login', { email, password })).body as {
    token: string;
  };
  const again = app.as({ authorization: `Bearer ${token}` });
  expect((await again.put(`/api/jobs/${jobId}/accept`)).status).toBe(200);
  await signLog(app);
  const found = (await mails(monday)).map(({ to }) => to);
  expect(found).toContain(accepting.email);
  expect(found).not.toContain(waiting.email);
});

test('what a process that was down on Monday missed is made up for on Tuesday, and no later', async () => {
  expect(await toOwner(monday + 2 * day)).toEqual([]);
  expect(await toOwner(monday + day)).toHaveLength(1);
});

test('two processes at once queue one', async () => {
  time = monday;
  await Promise.all([queue(), queue(), queue()]);
  expect(await toOwner(monday)).toHaveLength(1);
});

test('it is turned off by its toggle, and by the link and the header of the mail itself', async () => {
  const [mail] = await toOwner(monday);
  const link = /<https:\/\/jobs\.example\.com(\/unsubscribe\/[\w-]{44})>/.exec(
    mail?.headers?.['List-Unsubscribe'] ?? '',
  )?.[1];
  expect(mail?.text).toContain(`Unsubscribe from the weekly record:\nhttps://jobs.example.com${link}`);
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { text } = await app.send('POST', String(link), { body, headers });
  expect(text).toBe('You are unsubscribed from the weekly record.\n');
  const { notifications } = (await owner.get('/api/settings/notifications')).body;
  expect(notifications).toMatchObject({ weeklyRecord: false, newsletter: true });

  await requestedJob(app, owner);
  time = monday + 5 * day;
  await requestedJob(app, owner);
  await app.settle();
  sent = [];
  expect(await toOwner(monday + 7 * day)).toEqual([]);
});
