import { afterEach, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '#tests/support/api.ts';
import type { Answer, Client } from '#tests/support/api-client.ts';
import { sentSms } from '#tests/support/outbox.ts';
import { begin } from '#tests/support/registrations.ts';
import { storedDraft } from '#tests/support/stored-drafts.ts';

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
/** Somebody from a neighbourhood of their own. */
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
  test('gets a code a minute, 3 an hour and 5 a day, whoever asks', async () => {
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

test('a thousand sends over a thousand drafts stay within the budget of the hour, and somebody is told', async () => {
  const lines: string[] = [];
  await open({ SMS_CODES_PER_HOUR: '25' }, (line) => lines.push(line));
  let answered = 0;
  for (let batch = 0; batch < 50; batch += 1) {
    const drafts = Array.from({ length: 20 }, (_, n) => draftWith(mobile(1_000 + batch * 20 + n)));
    answered += accepted(await Promise.all((await Promise.all(drafts)).map(send)));
  }
  expect(answered).toBe(25);
  expect(await sentSms(api)).toHaveLength(25);
  expect(lines.join('')).toContain('code-budget-spent');
  ahead = HOUR + SECOND;
  expect((await send(await draftWith(mobile(9_000)))).status).toBe(200);
}, 180_000);

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

test('a draft that is changed without end is told to wait', async () => {
  await open();
  const client = await begin(api, 'starter', visitor());
  const save = () => client.put('/api/registration/tradies', { step: 0 });
  const answers: Answer[] = [];
  for (let n = 0; n < 121; n += 1) answers.push(await save());
  expect(accepted(answers)).toBe(120);
  expect(answers.at(-1)?.status).toBe(429);
});
