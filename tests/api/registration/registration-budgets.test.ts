import { afterEach, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { type Answer, type Client, payloadOf, solve } from '#tests/support/app/api-client.ts';
import { sentSms } from '#tests/support/app/messages.ts';
import { aTicket } from '#tests/support/scenarios/job-requests.ts';
import {
  begin,
  changePhone,
  freshPhone,
  sendCode,
  storedDraft,
} from '#tests/support/scenarios/registrations.ts';

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

const mobile = (n: number) => `+6141${String(n).padStart(7, '0')}`;
const accepted = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

describe('one number', () => {
  test('gets a code a minute, 3 an hour and 5 a day, whichever client asks', async () => {
    await open();
    const phone = mobile(1);
    const ask = async () => sendCode(await draftWith(phone));
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
      answers.push(await sendCode(await draftWith(mobile(100 + n), n % 2 ? from : neighbour)));
    }
    expect(accepted(answers)).toBe(10);
    expect(answers.at(-1)?.body.message).toContain('Too many codes were asked for from here');
    expect((await sendCode(await draftWith(mobile(200)))).status).toBe(200);
  }, 60_000);
});

test('a thousand sends over a thousand drafts stay within the budget of the hour, and the log says that a check is asked for', async () => {
  const lines: string[] = [];
  await open({ SMS_CODES_PER_HOUR: '25' }, (line) => lines.push(line));
  let answered = 0;
  for (let batch = 0; batch < 50; batch += 1) {
    const drafts = Array.from({ length: 20 }, (_, n) => draftWith(mobile(1_000 + batch * 20 + n)));
    answered += accepted(await Promise.all((await Promise.all(drafts)).map(sendCode)));
  }
  expect(answered).toBe(13);
  expect(await sentSms(api)).toHaveLength(13);
  expect(lines.join('')).toContain('code-check-needed');
  ahead = HOUR + SECOND;
  expect((await sendCode(await draftWith(mobile(9_000)))).status).toBe(200);
}, 180_000);

describe('beyond half the usual rate', () => {
  /** Sends as the page does: where a bot check is asked for, with its ticket. Answers its price too. */
  async function sendChecked(client: Client): Promise<[status: number, price: number]> {
    const first = await sendCode(client);
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
    await open({ SMS_CODES_PER_HOUR: '2' }, (line) => lines.push(line));
    const dave = await api.signIn();
    const answers: [number, number][] = [];
    for (let n = 0; n < 20; n += 1) answers.push(await sendChecked(await draftWith(mobile(n))));
    expect(answers.every(([status]) => status === 200)).toBe(true);
    expect(answers.map(([, price]) => price).slice(0, 9)).toEqual([0, 1, 2, 2, 3, 3, 3, 3, 4]);
    expect((await api.get('/api/metrics')).text).toContain('ute_code_price 4');

    const spent = await sendCode(await draftWith(mobile(30)));
    expect(spent).toMatchObject({ status: 400, body: { message: expect.stringContaining('cannot send') } });
    await expect.poll(() => lines.join('')).toContain('code-budget-spent');
    expect((await changePhone(dave, freshPhone())).status).toBe(200);
  }, 60_000);

  test('a ticket that cost too little, or is for another operation, sends nothing', async () => {
    await open({ SMS_CODES_PER_HOUR: '1' });
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
  const ask = (n: number) => client.post('/api/registration/email/verify', { email: `try${n}@free.example` });
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
    expect((await sendCode(other)).status).toBe(429);
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
