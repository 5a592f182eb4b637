import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { toBase64 } from '#core/proof/base64.ts';
import type { Notifications } from '#core/values/account.ts';
import { jobReference } from '#core/values/job-form.ts';
import { findCheckpoint } from '#projections/proof/read.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { linkIn, type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { signForRecords, signLog } from '#tests/support/operations/record-recipes.ts';
import {
  aJobRequest,
  aTicket,
  aWorkOrder,
  postForm,
  requestedJob,
  sendForm,
} from '#tests/support/scenarios/job-requests.ts';

let app: MessageApp;
beforeAll(async () => {
  app = await messageApp();
});
afterAll(() => app?.close());

describe('customer messages', () => {
  let dave: SignedIn;
  let customer: string;
  let count = 0;
  beforeEach(async () => {
    dave = await app.signIn();
    count += 1;
    customer = `customer${count}@example.com`;
  });

  const request = (changes = {}) => requestedJob(app, dave, { email: customer, ...changes });

  async function told() {
    await app.settle();
    return sentMail(app, customer);
  }

  test('the customer has a receipt at once, with the reference and none of what was typed', async () => {
    const markers = {
      ...{ name: 'Marker Name', title: 'Marker title http://evil.example', description: 'Marker words' },
      ...{ address: '1 Marker St, Markerville', wishedTime: 'Marker o’clock', phone: '0491 570 159' },
    };
    const id = await request(markers);
    const [receipt, ...others] = await told();
    expect(others).toEqual([]);
    expect(receipt?.text).toContain(jobReference(id));
    expect(receipt?.text).toContain('Acme Plumbing');
    expect(receipt?.subject).toBe(`Your request ${jobReference(id)} has arrived: Acme Plumbing via Ute`);
    const all = JSON.stringify(receipt);
    for (const typed of ['Marker', 'evil', '491 570 159', '491570159']) expect(all).not.toContain(typed);
  });

  test('five requests a minute for another’s mailbox do not fill it', async () => {
    const limited = await messageApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
    try {
      const owner = await limited.signIn();
      for (let n = 0; n < 9; n += 1) {
        const client = limited.as({ 'x-forwarded-for': `203.0.113.${n}` });
        const title = `Flood ${n}`;
        await requestedJob({ ...limited, ...client }, owner, { email: 'victim@example.com', title });
      }
      await limited.settle();
      expect(await sentMail(limited, 'victim@example.com')).toHaveLength(6);
    } finally {
      await limited.close();
    }
  });

  test.each([
    ['accept', 'has accepted your job request', 'accepted'],
    ['reject', 'cannot take on your job request', 'declined'],
  ])('the customer is notified of %s a minute later, in words of our own', async (answer, words, was) => {
    const id = await request({ title: 'Marker title' });
    await dave.put(`/api/jobs/${id}/${answer}`);
    app.pass(0.99);
    expect(await told()).toHaveLength(1);
    app.pass(0.01);
    const [, word, ...others] = await told();
    expect(others).toEqual([]);
    expect(word?.text).toContain(words);
    expect(word?.subject).toBe(`Your request ${jobReference(id)} was ${was}: Acme Plumbing via Ute`);
    expect(word?.text).toContain(jobReference(id));
    expect(JSON.stringify(word)).not.toMatch(/Marker|Aroha|Lygon|491 ?570 ?156/);
  });

  test('an answer that was undone is not sent, another one after it is', async () => {
    const id = await request();
    const { job } = (await dave.put(`/api/jobs/${id}/reject`)).body;
    app.pass(0.5);
    expect((await dave.post(`/api/jobs/${id}/undo`, { revision: job.revision })).status).toBe(200);
    app.pass(5);
    expect(await told()).toHaveLength(1);
    await dave.put(`/api/jobs/${id}/accept`);
    app.pass(1);
    const [, word] = await told();
    expect(word?.text).toContain('has accepted');
  });

  test('other changes, and their undo, within the minute keep nothing from the customer', async () => {
    const id = await request();
    await dave.put(`/api/jobs/${id}/accept`);
    const { job } = (await dave.put(`/api/jobs/${id}`, { status: 'Quoted' })).body;
    expect((await dave.post(`/api/jobs/${id}/undo`, { revision: job.revision })).status).toBe(200);
    expect(await told()).toHaveLength(1);
    app.pass(1);
    expect((await told())[1]?.text).toContain('has accepted');
  });

  test('a job that is rejected and accepted in the same minute is sent as accepted alone', async () => {
    const id = await request();
    expect(await told()).toHaveLength(1);
    await dave.put(`/api/jobs/${id}/reject`);
    await dave.put(`/api/jobs/${id}/accept`);
    app.pass(5);
    const [, word, ...others] = await told();
    expect(word?.text).toContain('has accepted');
    expect(others).toEqual([]);
  });

  test('a customer who needs it no longer is asked on a page, notified once, and gets nothing further', async () => {
    const id = await request({ title: 'Marker title' });
    const path = `/api${linkIn((await told())[0] as { text: string })}`;
    const shown = await app.get(path);
    expect(shown.body).toMatchObject({
      state: 'open',
      business: 'Acme Plumbing',
      reference: jobReference(id),
    });
    expect(shown.text).not.toMatch(/Marker|Aroha|Lygon|491 ?570 ?156/);
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.post(path)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.state}`))).toEqual(
      new Set(['200 told']),
    );
    const { history } = (await dave.get(`/api/jobs/${id}/history`)).body;
    const said = history.filter(({ what }: { what: string }) => what === 'not-needed');
    expect(said).toMatchObject([{ text: 'Aroha Tāwhiri said that this job is no longer needed' }]);
    expect((await dave.get(`/api/jobs/${id}`)).body.job.noLongerNeededAt).toBe(app.deps.now().toISOString());
    const { mail } = await app.toldTo(dave);
    expect(mail.at(-1)).toContain('The customer no longer needs this job');
    await dave.put(`/api/jobs/${id}/reject`);
    app.pass(5);
    expect(await told()).toHaveLength(1);
  });

  test('a tradie who was to turn up is notified by SMS too', async () => {
    const id = await request({ title: 'Tap' });
    const [receipt] = await told();
    await dave.put(`/api/jobs/${id}/accept`);
    const scheduledAt = '2026-11-23T22:00:00.000Z';
    expect((await dave.put(`/api/jobs/${id}`, { scheduledAt })).status).toBe(200);
    await app.post(`/api${linkIn(receipt as { text: string })}`);
    const { mail, sms } = await app.toldTo(dave);
    expect(mail.at(-1)).toContain('on your schedule for Tue, 24 Nov 2026 9:00AM');
    expect(sms.at(-1)).toMatch(/^No longer needed: Tap\. It is scheduled for Tue, 24 Nov 2026 9:00AM\. http/);
  });

  test('nothing of a message that was sent stays, and nothing in it was ever personal', async () => {
    const { name, phone, title } = aJobRequest();
    await request();
    const { rows } = await app.deps.db.query('select to_jsonb(o)::text as row from state.outbox o');
    for (const { row } of rows)
      for (const text of [name, phone, title, customer]) expect(row).not.toContain(text);
    const token = linkIn((await told())[0] as { text: string })
      .split('/')
      .at(-1);
    const { rows: links } = await app.deps.db.query(
      'select to_jsonb(l)::text as row from state.answer_links l',
    );
    expect(links.length).toBeGreaterThan(0);
    for (const { row } of links) expect(row).not.toContain(token);
  });
});

describe('new job messages', () => {
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
      ...{ title: 'Leaking mixer', wishedTime: 'Any morning', reachBy: 'phone', answers },
    });
    const { mail, sms } = await app.toldTo(dave);
    expect(mail).toHaveLength(1);
    for (const said of [
      'Leaking mixer',
      'Where: Brunswick East VIC',
      'When: Any morning',
      'Best reached by: Phone call',
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
    await requestedJob(app, dave, { title: 'Burst pipe', isUrgent: true, wishedTime: 'Now' });
    const { mail, sms } = await app.toldTo(dave);
    expect(mail[0]).toContain('Urgent');
    expect(sms).toHaveLength(1);
    expect(sms[0]).toMatch(
      /^URGENT\. New job: Burst pipe, Brunswick East VIC\. When: Now\. Accept or decline: http:\/\/\S+\/answer\/\S{43}$/,
    );
    app.pass(20);
    expect((await app.toldTo(dave)).sms).toHaveLength(1);
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
      expect(sms[0]).toMatch(/^New job: Tap, /);
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
      expect((await app.toldTo(dave)).sms[0]).toMatch(/^Job waiting: Tap, Brunswick East VIC\./);
      app.pass(60);
      expect((await app.toldTo(dave)).sms).toHaveLength(1);
    });

    test('is not, once its details were opened; seeing it in a list is not opening it', async () => {
      const opened = await requestedJob(app, dave, { title: 'Opened' });
      await requestedJob(app, dave, { title: 'Listed' });
      await dave.get(`/api/jobs/${opened}`);
      await dave.get('/api/jobs');
      app.pass(15);
      const { sms } = await app.toldTo(dave);
      expect(sms).toHaveLength(1);
      expect(sms[0]).toContain('Listed');
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
});

describe('alert budget', () => {
  let app: MessageApp;
  let dave: SignedIn;
  const lines: string[] = [];
  beforeAll(async () => {
    app = await messageApp({
      env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', BOT_CHECK_COST: '1', SMS_ALERTS_PER_HOUR: '10' },
      log: (line) => lines.push(line),
    });
  });
  beforeEach(async () => {
    app.pass(25 * 60);
    dave = await app.signIn();
  });
  afterAll(() => app.close());

  let sources = 0;
  function elsewhere() {
    sources += 1;
    return app.as({ 'x-forwarded-for': `10.${sources >> 8}.${sources & 255}.7` });
  }
  async function sendUrgent(times: number, to = dave) {
    for (let n = 0; n < times; n += 1) {
      const { status } = await sendForm(elsewhere(), to.slug, { title: `Burst pipe ${n}`, isUrgent: true });
      expect(status).toBe(200);
    }
  }
  const smsOnly = () => dave.put('/api/settings/notifications', { email: false, sms: true });
  const outcomes = async () => {
    const { text } = await app.get('/api/metrics');
    return Object.fromEntries(
      [...text.matchAll(/^ute_alert_sms_last_hour\{outcome="(\w+)"\} (\d+)$/gm)].map(([, outcome, count]) => [
        outcome,
        Number(count),
      ]),
    );
  };

  test('what comes without a bot check is notified by mail alone, however urgent it says it is', async () => {
    for (let n = 0; n < 6; n += 1) {
      expect((await postForm(elsewhere(), dave.slug, { isUrgent: 'on' })).status).toBe(303);
    }
    const { mail, sms } = await app.toldTo(dave);
    expect([mail.length, sms.length]).toEqual([6, 0]);
    app.pass(20);
    expect((await app.toldTo(dave)).sms).toEqual([]);
    expect((await outcomes())['unchecked']).toBe(6);
  });

  test('what came without a bot check is called off by mail alone, days later too', async () => {
    await smsOnly();
    await postForm(elsewhere(), dave.slug, { email: 'days.later@example.com' });
    await app.settle();
    const [receipt] = await sentMail(app, 'days.later@example.com');
    app.pass(29 * 24 * 60);
    await sendUrgent(1);
    await app.post(`/api${linkIn(receipt as { text: string })}`);
    const { mail, sms } = await app.toldTo(dave);
    expect(mail.at(-1)).toContain('no longer needs this job');
    expect(sms).toEqual([expect.stringContaining('Burst pipe')]);
  });

  test('a business is sent six SMS about jobs in an hour, and mail about all', async () => {
    await sendUrgent(8);
    const { mail, sms } = await app.toldTo(dave);
    expect([mail.length, sms.length]).toEqual([8, 6]);
    expect(await outcomes()).toEqual({ sent: 6, unchecked: 0, business: 2, everybody: 0 });
    app.pass(61);
    await sendUrgent(1);
    expect((await app.toldTo(dave)).sms).toHaveLength(7);
  });

  test('an owner who has only SMS on is notified by mail of what no SMS goes out for', async () => {
    await smsOnly();
    await sendUrgent(7);
    const { mail, sms } = await app.toldTo(dave);
    expect([mail.length, sms.length]).toEqual([1, 6]);
    expect(mail[0]).toContain('this one was not sent by SMS');
    await postForm(elsewhere(), dave.slug, { title: 'Without a check' });
    const told = await app.toldTo(dave);
    expect([told.mail.length, told.sms.length]).toEqual([2, 6]);
    expect(told.mail.at(-1)).toContain('Without a check');
  });

  test('all businesses together have a budget too, and the log and a figure say when it is spent', async () => {
    const eve = await app.signIn();
    await sendUrgent(6);
    await app.toldTo(dave);
    await sendUrgent(5, eve);
    const { mail, sms } = await app.toldTo(eve);
    expect([mail.length, sms.length]).toEqual([5, 4]);
    expect((await outcomes())['everybody']).toBe(1);
    await expect.poll(() => lines.join('')).toContain('alert-budget-spent');
  });
});

describe('receipt log line', () => {
  let dave: SignedIn;

  beforeAll(async () => {
    dave = await app.signIn();
  });

  async function receiptTo(email: string) {
    await requestedJob(app, dave, { email });
    await app.settle();
    const [receipt] = await sentMail(app, email);
    if (!receipt) throw new Error('there is no receipt');
    return receipt;
  }

  test('where nothing was ever signed, the receipt goes out without the line', async () => {
    const { text } = await receiptTo('early@example.com');
    expect(text).toContain('Your request has arrived');
    expect(text).not.toContain('Log ');
  });

  test('the receipt names a checkpoint that has the request, in text and in HTML', async () => {
    const before = await signLog(app);
    signForRecords(app);
    const { text, html } = await receiptTo('sam@example.com');
    const [line, size, root] = /^Log (\d+) · ([A-Za-z0-9+/]{43}=)$/m.exec(text) ?? [];
    expect(Number(size)).toBeGreaterThan(before);
    const checkpoint = await findCheckpoint(app.deps.db, Number(size));
    expect(checkpoint && toBase64(checkpoint.root)).toBe(root);
    expect(html).toContain(line);
  });

  test('a proof that stopped holds up no receipt', async () => {
    await app.deps.db.query(`update proof.progress set stopped = 'log-changed'`);
    const { text } = await receiptTo('late@example.com');
    expect(text).not.toContain('Log ');
  });
});
