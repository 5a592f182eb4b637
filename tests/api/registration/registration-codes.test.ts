import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Client } from '#tests/support/app/api-client.ts';
import { deliver, sentSms } from '#tests/support/app/messages.ts';
import {
  answerSteps,
  aRegistrant,
  begin,
  codeSentTo,
  type Registrant,
  sendCode,
} from '#tests/support/scenarios/registrations.ts';

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

const verify = (client: Client, code: string) => client.post('/api/registration/sms/verify', { code });
const update = (client: Client, phone: string) => client.post('/api/registration/phone/update', { phone });

async function atMobile(overrides: Partial<Registrant> = {}): Promise<{ client: Client; who: Registrant }> {
  const who = aRegistrant(overrides);
  const client = await begin(api);
  await answerSteps(client, who);
  return { client, who };
}

const wrong = (...codes: readonly string[]) =>
  ['000000', '000001', '000002'].find((code) => !codes.includes(code)) ?? '';
const not = (code: string) => (code === '000000' ? '000001' : '000000');

describe('a code', () => {
  test('comes as an SMS that the phone can fill in by itself, in one part', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    const [sms] = await sentSms(api, who.phone);
    expect(sms?.text).toMatch(/^\d{6} is your Ute code\. .+\n\n@localhost #\d{6}$/s);
    expect(sms?.text.length).toBeLessThanOrEqual(160);
    const [first, last] = sms?.text.match(/\d{6}/g) ?? [];
    expect(first).toBe(last);
  });

  test('is dead after 5 tries, and then the right one too', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    const code = await codeSentTo(api, who.phone);
    for (let tried = 0; tried < 5; tried += 1) expect((await verify(client, not(code))).status).toBe(400);
    expect((await verify(client, code)).status).toBe(400);
  });

  test('can be tried five times, also all at once', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    const code = await codeSentTo(api, who.phone);
    const wrong = await Promise.all(Array.from({ length: 20 }, () => verify(client, not(code))));
    expect(wrong.every(({ status }) => status === 400)).toBe(true);
    expect((await verify(client, code)).status).toBe(400);
  });

  test('counts once, of right ones at once as well', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    const code = await codeSentTo(api, who.phone);
    const all = await Promise.all(Array.from({ length: 5 }, () => verify(client, code)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await verify(client, code)).status).toBe(400);
  });

  test('is over after 10 minutes, and is not sent any more then', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    const code = await codeSentTo(api, who.phone);
    ahead = 10 * MINUTE + 1_000;
    expect((await verify(client, code)).status).toBe(400);
    ahead = 20 * MINUTE;
    await sendCode(client);
    ahead = 31 * MINUTE;
    await deliver(api);
    expect(await sentSms(api, who.phone)).toHaveLength(1);
  });

  test('of one draft is nothing to another', async () => {
    const { client, who } = await atMobile();
    const other = await atMobile({ phone: who.phone });
    await sendCode(client);
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
    await sendCode(client);
    const code = await codeSentTo(api, who.phone);
    await change(client, aRegistrant().phone);
    expect((await verify(client, code)).status).toBe(400);
    await change(client, who.phone);
    expect((await verify(client, code)).status).toBe(400);
  });

  test('still counts when the draft is saved with its mobile in another spelling', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    const spelled = `0${who.phone.slice(3, 6)} ${who.phone.slice(6, 9)} ${who.phone.slice(9)}`;
    await client.put('/api/registration/tradies', { verify: { phone: spelled } });
    expect((await verify(client, await codeSentTo(api, who.phone))).status).toBe(200);
  });

  test('that was asked for again leaves the one before valid; after 5 there are no more', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    const first = await codeSentTo(api, who.phone);
    const left = [];
    for (let n = 0; n < 5; n += 1) left.push((await sendCode(client)).body.codesLeft);
    expect(left).toEqual([3, 2, 1, 0, undefined]);
    expect(await sendCode(client)).toMatchObject({
      ...{ status: 400, body: { message: expect.stringContaining('No more codes') } },
    });
    const last = await codeSentTo(api, who.phone, 5);
    expect((await verify(client, first)).status).toBe(200);
    expect((await verify(client, last)).status).toBe(400);
  });

  test('and the one before share their tries; a new one begins anew once they are spent', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    const first = await codeSentTo(api, who.phone);
    for (let tried = 0; tried < 3; tried += 1) await verify(client, not(first));
    await sendCode(client);
    const second = await codeSentTo(api, who.phone, 2);
    for (let tried = 0; tried < 2; tried += 1) await verify(client, wrong(first, second));
    expect([(await verify(client, first)).status, (await verify(client, second)).status]).toEqual([400, 400]);
    await sendCode(client);
    expect((await verify(client, first)).status).toBe(400);
    expect((await verify(client, await codeSentTo(api, who.phone, 3))).status).toBe(200);
  });

  test('of before is over after its own ten minutes', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    const first = await codeSentTo(api, who.phone);
    ahead = 6 * MINUTE;
    await sendCode(client);
    const second = await codeSentTo(api, who.phone, 2);
    ahead = 10 * MINUTE + 1_000;
    expect((await verify(client, first)).status).toBe(first === second ? 200 : 400);
    expect((await verify(client, second)).status).toBe(first === second ? 400 : 200);
  });

  test('is not sent to a mobile that is verified already', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
    await verify(client, await codeSentTo(api, who.phone));
    expect(await sendCode(client)).toMatchObject({
      ...{ status: 400, body: { message: 'This mobile number is verified already', phoneVerified: true } },
    });
    expect((await update(client, who.phone)).body).toMatchObject({ phone: who.phone, phoneVerified: true });
    expect((await update(client, aRegistrant().phone)).body.phoneVerified).toBe(false);
    expect(await sentSms(api, who.phone)).toHaveLength(1);
  });

  test('stands nowhere in the clear', async () => {
    const { client, who } = await atMobile();
    await sendCode(client);
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
