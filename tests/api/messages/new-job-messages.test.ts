import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import type { Notifications } from '#core/values/account.ts';
import { jobReference } from '#core/values/job-form.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { aTicket, aWorkOrder, requestedJob, sendForm } from '#tests/support/scenarios/job-requests.ts';

const SERVICE_KEY = 'service-key-of-the-tests-0';
const answers = [{ questionId: 'home-type', answer: 'Unit' }];

let app: MessageApp;
/** The log takes nothing. */
let isUnavailable = false;
let dave: SignedIn;
beforeAll(async () => {
  app = await messageApp({
    env: { SERVICE_KEY },
    store: (store) => ({
      ...store,
      append: (...args) =>
        isUnavailable ? Promise.reject(new EventStoreUnavailableError('away')) : store.append(...args),
    }),
  });
});
beforeEach(async () => {
  dave = await app.signIn();
});
afterAll(() => app.close());

const turn = (notifications: Partial<Notifications>) =>
  dave.put('/api/settings/notifications', notifications);

test('a new job is notified at once by mail, with what it takes to decide and nothing more', async () => {
  await requestedJob(app, dave, {
    ...{ title: 'Leaking mixer', wishedTime: 'Any morning', reachBy: 'phone', answers, unsentFiles: 2 },
  });
  const { mail, sms } = await app.toldTo(dave);
  expect(mail).toHaveLength(1);
  for (const said of [
    'Leaking mixer',
    'Where: Brunswick East VIC',
    'When: Any morning',
    'Best reached by: Phone call',
    '2 photos did not come through',
    '/answer/',
  ])
    expect(mail[0]).toContain(said);
  expect(sms).toEqual([]);
  for (const hidden of [
    'aroha.t@example.com',
    '491 570 156',
    '491570156',
    'Lygon',
    'Aroha',
    'will not close',
  ])
    expect(mail[0]).not.toContain(hidden);
});

test('a request that is sent ten times over with one key is one mail to each', async () => {
  const headers = { 'x-bot-check': await aTicket(app), 'idempotency-key': 'one-request-in-a-dead-spot' };
  const email = 'aroha.ten-times@example.com';
  const request = { title: 'Sent ten times over', email };
  await Promise.all(Array.from({ length: 10 }, () => sendForm(app, dave.slug, request, headers)));
  expect((await app.toldTo(dave)).mail).toHaveLength(1);
  expect(await sentMail(app, email)).toHaveLength(1);
  expect((await sendForm(app, dave.slug, request, headers)).status).toBe(200);
  expect((await app.toldTo(dave)).mail).toHaveLength(1);
  expect(await sentMail(app, email)).toHaveLength(1);
});

test('an urgent one also by SMS, at once', async () => {
  await requestedJob(app, dave, { title: 'Burst evil.top/pay', isUrgent: true, wishedTime: 'Now' });
  const { mail, sms } = await app.toldTo(dave);
  expect(mail[0]).toContain('Urgent');
  expect(sms).toHaveLength(1);
  expect(sms[0]).toMatch(
    /^URGENT\. New job in Brunswick East VIC\. Accept or reject: http:\/\/\S+\/answer\/\S{43}$/,
  );
  app.pass(20);
  expect((await app.toldTo(dave)).sms).toHaveLength(1);
});

test('while a job waits neither SMS nor subject holds a word of the stranger who sent it', async () => {
  const address = '1 Pay Street, Your Account Is Locked';
  const id = await requestedJob(app, dave, {
    title: 'Marker',
    address,
    wishedTime: 'Marker',
    isUrgent: true,
  });
  await app.toldTo(dave);
  const [mail] = await sentMail(app, dave.email);
  expect(mail?.subject).toBe(`Urgent job ${jobReference(id)}`);
  const { sms } = await app.toldTo(dave);
  expect(sms[0]).toMatch(/^URGENT\. New job\. Accept or reject: http/);
});

test('a customer cannot slip a way to be reached past the tradie’s answer', async () => {
  const title = 'Ring me 0491 570 156 or aroha.t@example.com';
  await requestedJob(app, dave, { title, isUrgent: true, wishedTime: 'call 0491570156' });
  const { mail, sms } = await app.toldTo(dave);
  for (const text of [...mail, ...sms]) expect(text).not.toMatch(/491 ?570 ?156|aroha\.t@/);
});

test('a work order is notified with its time', async () => {
  const order = { ...aWorkOrder(dave.slug), scheduledAt: '2026-11-23T22:00:00.000Z' };
  const headers = { authorization: `Bearer ${SERVICE_KEY}`, 'idempotency-key': crypto.randomUUID() };
  expect((await app.post('/api/work-orders', order, headers)).status).toBe(200);
  const { mail } = await app.toldTo(dave);
  expect(mail[0]).toContain('New job from Ute');
  expect(mail[0]).toContain('When: Tue, 24 Nov 2026 9:00AM');
  expect(mail[0]).not.toContain('lena.fischer@example.com');
});

test('a job that the tradie typed in is no news', async () => {
  const job = { name: 'A', email: 'a@example.com', phone: '0491 570 156', address: '1 A St, Fitzroy' };
  expect((await dave.post('/api/jobs', job)).status).toBe(200);
  app.pass(20);
  expect(await app.toldTo(dave)).toEqual({ mail: [], sms: [] });
});

describe('toggles', () => {
  test('enquiries and simple contacts are told apart by their answers', async () => {
    await turn({ simpleContacts: false });
    await requestedJob(app, dave, { title: 'A few words' });
    expect((await app.toldTo(dave)).mail).toEqual([]);
    await turn({ simpleContacts: true, jobEnquiries: false });
    await requestedJob(app, dave, { title: 'With answers', answers });
    expect((await app.toldTo(dave)).mail).toEqual([]);
    await requestedJob(app, dave, { title: 'A few words more' });
    expect((await app.toldTo(dave)).mail).toHaveLength(1);
  });

  test('without email the SMS comes at once, and once', async () => {
    await turn({ email: false });
    await requestedJob(app, dave, { title: 'Tap' });
    const { mail, sms } = await app.toldTo(dave);
    expect(mail).toEqual([]);
    expect(sms[0]).toMatch(/^New job in Brunswick East VIC\. /);
    app.pass(20);
    expect((await app.toldTo(dave)).sms).toHaveLength(1);
  });

  test('without SMS there is no next channel, and without both no message', async () => {
    await turn({ sms: false });
    await requestedJob(app, dave, { title: 'Tap', isUrgent: true });
    app.pass(20);
    const { mail, sms } = await app.toldTo(dave);
    expect([mail.length, sms.length]).toEqual([1, 0]);
    await turn({ email: false });
    await requestedJob(app, dave, { title: 'Tap again' });
    app.pass(20);
    expect((await app.toldTo(dave)).mail).toHaveLength(1);
  });
});

describe('a job that was not opened', () => {
  test('is notified by SMS after 15 minutes, not before', async () => {
    await requestedJob(app, dave, { title: 'Tap' });
    app.pass(14);
    expect((await app.toldTo(dave)).sms).toEqual([]);
    app.pass(1);
    expect((await app.toldTo(dave)).sms[0]).toMatch(/^Job waiting in Brunswick East VIC\./);
    app.pass(60);
    expect((await app.toldTo(dave)).sms).toHaveLength(1);
  });

  test('is not, once its details were opened; seeing it in a list is not opening it', async () => {
    const opened = await requestedJob(app, dave, { title: 'Opened' });
    await requestedJob(app, dave, { title: 'Listed', address: '14 Blyth St, Brunswick VIC 3056' });
    await dave.get(`/api/jobs/${opened}`);
    await dave.get('/api/jobs');
    app.pass(15);
    const { sms } = await app.toldTo(dave);
    expect(sms).toHaveLength(1);
    expect(sms[0]).toContain('in Brunswick VIC.');
  });

  test('is not, once it was answered or is not needed any more', async () => {
    const accepted = await requestedJob(app, dave, { title: 'Accepted' });
    await dave.put(`/api/jobs/${accepted}/accept`);
    app.pass(15);
    expect((await app.toldTo(dave)).sms).toEqual([]);
  });
});

test('the first look is an event of the job that its history shows, however often it is looked at', async () => {
  const id = await requestedJob(app, dave);
  for (let n = 0; n < 3; n += 1) expect((await dave.get(`/api/jobs/${id}`)).status).toBe(200);
  const { history } = (await dave.get(`/api/jobs/${id}/history`)).body;
  expect(history.map(({ text }: { text: string }) => text)).toEqual([
    'You opened the job',
    'Aroha Tāwhiri asked for this job',
  ]);
});

test('a job is shown also while the log takes nothing, and the look counts the next time', async () => {
  const id = await requestedJob(app, dave);
  isUnavailable = true;
  expect((await dave.get(`/api/jobs/${id}`)).status).toBe(200);
  isUnavailable = false;
  const opened = async () => (await app.deps.store.readStream(`job-${id}`)).map(({ type }) => type);
  expect(await opened()).toEqual(['JobRequested']);
  await dave.get(`/api/jobs/${id}`);
  expect(await opened()).toEqual(['JobRequested', 'JobOpened']);
});
