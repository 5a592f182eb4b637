import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forgetDrafts } from '#api/registration/drafts.ts';
import { createEmbeddedEventStore } from '#core/event-store/embedded/event-store.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer, Client } from '#tests/support/app/api-client.ts';
import { payloadOf, solve } from '#tests/support/app/bot-check.ts';
import { deliver, sentSms } from '#tests/support/app/messages.ts';
import { changePhone, freshPhone } from '#tests/support/scenarios/accounts.ts';
import { aTicket } from '#tests/support/scenarios/job-requests.ts';
import {
  answerSteps,
  aRegistrant,
  begin,
  codeSentTo,
  type Registrant,
  storedDraft,
} from '#tests/support/scenarios/registrations.ts';

describe('registration codes', () => {
  const MINUTE = 60_000;
  let api: TestApp;
  let ahead = 0;
  beforeAll(async () => {
    api = await testApp({ now: () => new Date(Date.now() + ahead) });
  });
  beforeEach(() => {
    ahead = 0;
  });
  afterAll(() => api?.close());

  const send = (client: Client) => client.post('/api/registration/sms/send');
  const verify = (client: Client, code: string) => client.post('/api/registration/sms/verify', { code });
  const update = (client: Client, phone: string) => client.post('/api/registration/phone/update', { phone });

  async function atMobile(overrides: Partial<Registrant> = {}): Promise<{ client: Client; who: Registrant }> {
    const who = aRegistrant(overrides);
    const client = await begin(api);
    await answerSteps(client, who);
    return { client, who };
  }

  const not = (code: string) => (code === '000000' ? '000001' : '000000');

  describe('a code', () => {
    test('comes as an SMS that the phone can fill in by itself, in one part', async () => {
      const { client, who } = await atMobile();
      await send(client);
      const [sms] = await sentSms(api, who.phone);
      expect(sms?.text).toMatch(/^\d{6} is your Ute code\. .+\n\n@localhost #\d{6}$/s);
      expect(sms?.text.length).toBeLessThanOrEqual(160);
      const [first, last] = sms?.text.match(/\d{6}/g) ?? [];
      expect(first).toBe(last);
    });

    test('is dead after 5 tries, and then the right one too', async () => {
      const { client, who } = await atMobile();
      await send(client);
      const code = await codeSentTo(api, who.phone);
      for (let tried = 0; tried < 5; tried += 1) expect((await verify(client, not(code))).status).toBe(400);
      expect((await verify(client, code)).status).toBe(400);
    });

    test('can be tried five times, also all at once', async () => {
      const { client, who } = await atMobile();
      await send(client);
      const code = await codeSentTo(api, who.phone);
      const wrong = await Promise.all(Array.from({ length: 20 }, () => verify(client, not(code))));
      expect(wrong.every(({ status }) => status === 400)).toBe(true);
      expect((await verify(client, code)).status).toBe(400);
    });

    test('counts once, of right ones at once as well', async () => {
      const { client, who } = await atMobile();
      await send(client);
      const code = await codeSentTo(api, who.phone);
      const all = await Promise.all(Array.from({ length: 5 }, () => verify(client, code)));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      expect((await verify(client, code)).status).toBe(400);
    });

    test('is over after 10 minutes, and is not sent any more then', async () => {
      const { client, who } = await atMobile();
      await send(client);
      const code = await codeSentTo(api, who.phone);
      ahead = 10 * MINUTE + 1_000;
      expect((await verify(client, code)).status).toBe(400);
      ahead = 20 * MINUTE;
      await send(client);
      ahead = 31 * MINUTE;
      await deliver(api);
      expect(await sentSms(api, who.phone)).toHaveLength(1);
    });

    test('of one draft is nothing to another', async () => {
      const { client, who } = await atMobile();
      const other = await atMobile({ phone: who.phone });
      await send(client);
      const code = await codeSentTo(api, who.phone);
      expect((await verify(other.client, code)).status).toBe(400);
      expect((await verify(client, code)).status).toBe(200);
    });

    test.each([
      ['phone/update', (client: Client, phone: string) => update(client, phone)],
      [
        'the draft',
        (client: Client, phone: string) => client.put('/api/registration/tradies', { verify: { phone } }),
      ],
    ])('for one mobile is void once %s names another, also after going back', async (_what, change) => {
      const { client, who } = await atMobile();
      await send(client);
      const code = await codeSentTo(api, who.phone);
      await change(client, aRegistrant().phone);
      expect((await verify(client, code)).status).toBe(400);
      await change(client, who.phone);
      expect((await verify(client, code)).status).toBe(400);
    });

    test('still counts when the draft is saved with its mobile in another spelling', async () => {
      const { client, who } = await atMobile();
      await send(client);
      const spelled = `0${who.phone.slice(3, 6)} ${who.phone.slice(6, 9)} ${who.phone.slice(9)}`;
      await client.put('/api/registration/tradies', { verify: { phone: spelled } });
      expect((await verify(client, await codeSentTo(api, who.phone))).status).toBe(200);
    });

    test('that was asked for again replaces the one before; after 5 there are no more', async () => {
      const { client, who } = await atMobile();
      await send(client);
      const first = await codeSentTo(api, who.phone);
      const left = [];
      for (let n = 0; n < 5; n += 1) left.push((await send(client)).body.codesLeft);
      expect(left).toEqual([3, 2, 1, 0, undefined]);
      expect(await send(client)).toMatchObject({
        ...{ status: 400, body: { message: expect.stringContaining('No more codes') } },
      });
      const last = await codeSentTo(api, who.phone);
      expect((await verify(client, first)).status).toBe(first === last ? 200 : 400);
      expect((await verify(client, last)).status).toBe(first === last ? 400 : 200);
    });

    test('is not sent to a mobile that is verified already', async () => {
      const { client, who } = await atMobile();
      await send(client);
      await verify(client, await codeSentTo(api, who.phone));
      expect(await send(client)).toMatchObject({
        ...{ status: 400, body: { message: 'This mobile number is verified already', phoneVerified: true } },
      });
      expect((await update(client, who.phone)).body).toMatchObject({ phone: who.phone, phoneVerified: true });
      expect((await update(client, aRegistrant().phone)).body.phoneVerified).toBe(false);
      expect(await sentSms(api, who.phone)).toHaveLength(1);
    });

    test('stands nowhere in the clear', async () => {
      const { client, who } = await atMobile();
      await send(client);
      const code = await codeSentTo(api, who.phone);
      const { rows } = await api.deps.db.query(
        `select row_to_json(c)::text as row from state.registration_codes c
       union all select row_to_json(m)::text from state.code_messages m
       union all select row_to_json(r)::text from state.registrations r
       union all select row_to_json(o)::text from state.outbox o`,
      );
      const text = rows.map(({ row }) => row).join();
      expect(text).not.toContain(`"${code}"`);
      expect(text).not.toContain(who.phone);
      expect(text).not.toContain(who.phone.slice(3));
    });
  });
});

describe('registration budgets', () => {
  const SECOND = 1_000;
  const HOUR = 3_600 * SECOND;
  let api: TestApp;
  let ahead = 0;
  afterEach(() => api?.close());

  async function open(env: Record<string, string> = {}, log?: (line: string) => void): Promise<void> {
    ahead = 0;
    api = await testApp({
      env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', ...env },
      now: () => new Date(Date.now() + ahead),
      ...(log ? { log } : {}),
    });
  }

  let visitors = 0;
  /** An applicant from a network of their own. */
  function visitor(): Record<string, string> {
    visitors += 1;
    return { 'x-forwarded-for': `10.${visitors >> 8}.${visitors & 255}.7` };
  }

  /** A draft that has nothing but this mobile, from that address. */
  async function draftWith(phone: string, from = visitor()): Promise<Client> {
    return (await storedDraft(api, { phone }, { headers: from, phoneVerified: false })).client;
  }

  const send = (client: Client) => client.post('/api/registration/sms/send');
  const mobile = (n: number) => `+6141${String(n).padStart(7, '0')}`;
  const accepted = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

  describe('one number', () => {
    test('gets a code a minute, 3 an hour and 5 a day, whichever client asks', async () => {
      await open();
      const phone = mobile(1);
      const ask = async () => send(await draftWith(phone));
      expect((await ask()).status).toBe(200);
      const soon = await ask();
      expect(soon).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('just sent a code') },
      });
      expect(Number(soon.headers.get('retry-after'))).toBeGreaterThan(50);
      const answers: number[] = [];
      for (const minutes of [2, 4, 6, 62, 65, 130, 1_460]) {
        ahead = minutes * 60 * SECOND;
        answers.push((await ask()).status);
      }
      expect(answers).toEqual([200, 200, 400, 200, 200, 400, 200]);
    }, 60_000);
  });

  describe('one neighbourhood', () => {
    test('gets 10 codes an hour', async () => {
      await open();
      const from = visitor();
      const neighbour = { 'x-forwarded-for': from['x-forwarded-for']?.replace(/7$/, '9') ?? '' };
      const answers: Answer[] = [];
      for (let n = 0; n < 12; n += 1) {
        answers.push(await send(await draftWith(mobile(100 + n), n % 2 ? from : neighbour)));
      }
      expect(accepted(answers)).toBe(10);
      expect(answers.at(-1)?.body.message).toContain('Too many codes were asked for from here');
      expect((await send(await draftWith(mobile(200)))).status).toBe(200);
    }, 60_000);
  });

  test('a thousand sends over a thousand drafts stay within the budget of the hour, and the log says that a check is asked for', async () => {
    const lines: string[] = [];
    await open({ SMS_CODES_PER_HOUR: '25' }, (line) => lines.push(line));
    let answered = 0;
    for (let batch = 0; batch < 50; batch += 1) {
      const drafts = Array.from({ length: 20 }, (_, n) => draftWith(mobile(1_000 + batch * 20 + n)));
      answered += accepted(await Promise.all((await Promise.all(drafts)).map(send)));
    }
    expect(answered).toBe(13);
    expect(await sentSms(api)).toHaveLength(13);
    expect(lines.join('')).toContain('code-check-needed');
    ahead = HOUR + SECOND;
    expect((await send(await draftWith(mobile(9_000)))).status).toBe(200);
  }, 180_000);

  describe('beyond half the usual rate', () => {
    /** Sends as the page does: where a bot check is asked for, with its ticket. Answers its price too. */
    async function sendChecked(client: Client): Promise<[status: number, price: number]> {
      const first = await send(client);
      const { scope, price } = first.body.botCheck ?? { price: 0 };
      if (price === 0) return [first.status, 0];
      const { body } = await client.get(`/api/bot-check/challenge?scope=${scope}&price=${price}`);
      const payload = payloadOf(body.challenge, await solve(body.challenge));
      const verified = await client.post('/api/bot-check/verify', { scope, payload });
      const ticket = { 'x-bot-check': verified.body.ticket };
      return [(await client.post('/api/registration/sms/send', undefined, ticket)).status, price];
    }

    test('a code costs a bot check that gets dearer, up to ten times the rate; a signed-in account has a reserve', async () => {
      const lines: string[] = [];
      await open({ SMS_CODES_PER_HOUR: '2', BOT_CHECK_COST: '1' }, (line) => lines.push(line));
      const dave = await api.signIn();
      const answers: [number, number][] = [];
      for (let n = 0; n < 20; n += 1) answers.push(await sendChecked(await draftWith(mobile(n))));
      expect(answers.every(([status]) => status === 200)).toBe(true);
      expect(answers.map(([, price]) => price).slice(0, 9)).toEqual([0, 1, 2, 2, 3, 3, 3, 3, 4]);
      expect((await api.get('/api/metrics')).text).toContain('ute_code_price 4');

      const spent = await send(await draftWith(mobile(30)));
      expect(spent).toMatchObject({ status: 400, body: { message: expect.stringContaining('cannot send') } });
      await expect.poll(() => lines.join('')).toContain('code-budget-spent');
      expect((await changePhone(dave, freshPhone())).status).toBe(200);
    }, 60_000);

    test('a ticket that cost too little, or is for another operation, sends nothing', async () => {
      await open({ SMS_CODES_PER_HOUR: '1', BOT_CHECK_COST: '1' });
      for (let n = 0; n < 2; n += 1) await sendChecked(await draftWith(mobile(40 + n)));
      const client = await draftWith(mobile(50));
      for (const scope of ['registration', 'code']) {
        const ticket = { 'x-bot-check': await aTicket(client, scope) };
        expect(await client.post('/api/registration/sms/send', undefined, ticket)).toMatchObject({
          ...{ status: 400, body: { botCheck: { scope: 'code', price: 3 } } },
        });
      }
      expect((await sendChecked(client))[0]).toBe(200);
    });
  });

  test('a draft may ask about 5 different emails an hour, and about each as often as it likes', async () => {
    await open();
    const client = await begin(api, 'starter', visitor());
    const ask = (n: number) =>
      client.post('/api/registration/email/verify', { email: `try${n}@free.example` });
    const statuses = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(async (n) => (await ask(n)).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    const known = statuses.indexOf(200) + 1;
    expect((await ask(known)).status).toBe(200);
    ahead = HOUR + SECOND;
    expect((await ask(8)).status).toBe(200);
  });

  describe('whether a mobile has an account', () => {
    const change = (client: Client, n: number) =>
      client.post('/api/registration/phone/update', { phone: mobile(n) });

    test('a draft may ask about 5 numbers an hour, and about each as often as it likes', async () => {
      await open();
      const client = await draftWith(mobile(300));
      const statuses = [];
      for (const n of [301, 302, 303, 304, 305, 306, 301]) statuses.push((await change(client, n)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 200]);
      const other = await draftWith(mobile(307));
      for (const n of [308, 309, 310, 311, 312]) await change(other, n);
      await other.put('/api/registration/tradies', { step: 4, verify: { phone: mobile(313) } });
      expect((await send(other)).status).toBe(429);
      ahead = HOUR + SECOND;
      expect((await change(client, 306)).status).toBe(200);
    }, 60_000);

    test('one client asks about 20 a day, by drafts and by the change of an account', async () => {
      await open();
      const from = visitor();
      const statuses: number[] = [];
      for (let draft = 0; draft < 5; draft += 1) {
        const client = await draftWith(mobile(400), from);
        for (let n = 0; n < 4; n += 1) statuses.push((await change(client, 410 + draft * 4 + n)).status);
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(20);
      expect((await change(await draftWith(mobile(400), from), 450)).status).toBe(429);
      const dave = await api.signIn();
      const body = { phone: mobile(451), currentPassword: dave.password };
      expect((await dave.put('/api/registration/account', body, from)).status).toBe(429);
      expect((await dave.put('/api/registration/account', body, visitor())).status).toBe(200);
    }, 60_000);
  });

  test('a draft that is changed without end is answered to wait', async () => {
    await open();
    const client = await begin(api, 'starter', visitor());
    const save = () => client.put('/api/registration/tradies', { step: 0 });
    const answers: Answer[] = [];
    for (let n = 0; n < 121; n += 1) answers.push(await save());
    expect(accepted(answers)).toBe(120);
    expect(answers.at(-1)?.status).toBe(429);
  });
});

describe('registration forgetting', () => {
  const DAY = 86_400_000;
  let api: TestApp;
  let ahead = 0;
  beforeAll(async () => {
    api = await testApp({ now: () => new Date(Date.now() + ahead) });
  });
  afterAll(() => api?.close());

  /** What a process that was not there before can still read of a stream. */
  async function readAnew(stream: `registration-${string}` | `account-${string}`): Promise<string> {
    const { db, config } = api.deps;
    const options = { pool: db, connectionString: api.databaseUrl, dataKey: config.keys.data };
    const store = createEmbeddedEventStore(options);
    try {
      return JSON.stringify((await store.readStream(stream)).map(({ event }) => event));
    } finally {
      await store.close();
    }
  }

  test('after seven days a draft opens nothing, and what it held of a person is gone for good', async () => {
    const left = await storedDraft(api);
    const done = await storedDraft(api);
    const answer = await done.client.post('/api/registration');
    expect(answer.status).toBe(200);

    ahead = 7 * DAY - 60_000;
    await forgetDrafts(api.deps);
    expect((await left.client.get('/api/registration/tradies')).status).toBe(200);
    expect(await readAnew(`registration-${left.registrationId}`)).toContain(left.who.email);

    ahead = 7 * DAY + 60_000;
    expect((await left.client.get('/api/registration/tradies')).status).toBe(404);
    expect((await left.client.post('/api/registration')).status).toBe(404);
    await forgetDrafts(api.deps);
    const read = await readAnew(`registration-${left.registrationId}`);
    expect(read).not.toContain(left.who.email);
    expect(read).not.toContain(left.who.phone);
    expect(read).toContain('[erased]');

    const { rows } = await api.deps.db.query('select 1 from state.registrations');
    expect(rows).toEqual([]);
    expect(await readAnew(`registration-${done.registrationId}`)).toContain(done.who.email);
    const { email } = done.who;
    expect((await api.post('/api/authenticate/login', { email, password: done.who.password })).status).toBe(
      200,
    );
  });
});
