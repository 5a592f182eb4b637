import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { codeSentTo, deliver, sentMail, sentSms, tokenSentTo } from '#tests/support/app/messages.ts';
import {
  changeEmail,
  changePhone,
  contactOf,
  freshEmail,
  freshPhone,
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

const confirmPhone = (who: SignedIn, code: string) => who.post('/api/authenticate/phone/confirm', { code });

describe('another mobile', () => {
  test('counts once the code that it got was typed, and the owner is notified', async () => {
    const dave = await api.signIn();
    const phone = freshPhone();
    const asked = await changePhone(dave, phone.replace('+61', '0'));
    expect(asked.body.user.phone).not.toBe(phone);
    expect(asked.body.contact.pendingPhone).toMatchObject({ value: phone });
    const code = await codeSentTo(api, phone);
    expect(code).toMatch(/^\d{6}$/);

    const confirmed = await confirmPhone(dave, `${code.slice(0, 3)} ${code.slice(3)}`);
    expect(confirmed.body).toMatchObject({
      ...{ status: 'ok', message: 'Your mobile number was changed' },
      user: { phone },
      contact: { phone, pendingPhone: null },
    });
    ahead = MINUTE;
    const [told] = await sentMail(api, dave.email);
    expect(told?.subject).toBe('Your Ute mobile number was changed');
    expect((await confirmPhone(dave, code)).status).toBe(422);
  });

  test('needs the current password, an Australian or New Zealand mobile, and one that is free', async () => {
    const [dave, eve] = [await api.signIn(), await api.signIn()];
    expect((await changePhone(dave, freshPhone(), '')).body.fields).toHaveProperty('currentPassword');
    for (const number of ['+882123456789', '0391234567', '1800123456', '']) {
      const { status, body } = await changePhone(dave, number);
      expect([status, body.fields]).toEqual([
        422,
        { phone: 'Enter an Australian or New Zealand mobile number' },
      ]);
    }
    const hers = (await contactOf(eve)).phone;
    const taken = await changePhone(dave, hers);
    expect([taken.status, taken.body.message]).toEqual([409, 'This mobile number is already in use']);
    expect(await sentSms(api, hers)).toEqual([]);
  });

  test('takes five wrong codes, then not the right one either', async () => {
    const dave = await api.signIn();
    const phone = freshPhone();
    await changePhone(dave, phone);
    const right = await codeSentTo(api, phone);
    for (let guess = 0; guess < 5; guess += 1) {
      const wrong = String((Number(right) + guess + 1) % 1_000_000).padStart(6, '0');
      const { status, body } = await confirmPhone(dave, wrong);
      expect([status, body.message]).toEqual([422, 'Wrong code']);
      expect(body.fields).toEqual({ code: 'Double-check and try again, or get a new one' });
    }
    expect((await confirmPhone(dave, right)).status).toBe(422);
  });

  test('takes a code for ten minutes, from its own account, for its own number', async () => {
    const [dave, eve] = [await api.signIn(), await api.signIn()];
    const [first, second] = [freshPhone(), freshPhone()];
    await changePhone(dave, first);
    const code = await codeSentTo(api, first);
    expect((await confirmPhone(eve, code)).status).toBe(422);
    ahead = 10 * MINUTE + 1_000;
    expect((await confirmPhone(dave, code)).status).toBe(422);
    ahead = 0;
    await changePhone(dave, second);
    await deliver(api);
    expect((await confirmPhone(dave, code)).status).toBe(422);
    await dave.delete('/api/authenticate/phone');
    expect((await confirmPhone(dave, await codeSentTo(api, second))).status).toBe(422);
  });
});

describe('another code for the same number', () => {
  const resend = (who: SignedIn) => who.post('/api/authenticate/phone/code');

  test('counts alone, for ten minutes from when it was sent, and needs no password again', async () => {
    const dave = await api.signIn();
    const phone = freshPhone();
    const asked = await changePhone(dave, phone);
    expect(asked.body.contact.pendingPhone.resendAfter).toBe(60);
    const first = await codeSentTo(api, phone);
    ahead = MINUTE;
    expect((await contactOf(dave)).pendingPhone.resendAfter).toBe(0);
    const again = await resend(dave);
    expect([again.status, again.body.contact.pendingPhone]).toMatchObject([
      200,
      { value: phone, resendAfter: 60 },
    ]);
    await deliver(api);
    expect(await sentSms(api, phone)).toHaveLength(2);
    const second = await codeSentTo(api, phone);
    if (first !== second) expect((await confirmPhone(dave, first)).status).toBe(422);
    ahead = 10 * MINUTE + 30_000;
    expect((await confirmPhone(dave, second)).body).toMatchObject({ contact: { phone } });
  });

  test('is sent to no number that does not wait, or that another account has by now', async () => {
    const [dave, eve] = [await api.signIn(), await api.signIn()];
    const phone = freshPhone();
    const over = 'No code is waited for any more. Please change the number again.';
    expect((await resend(dave)).body.message).toBe(over);
    await changePhone(dave, phone);
    // Sent together, which of the two SMS is the newest would be open.
    await deliver(api);
    expect((await resend(eve)).status).toBe(422);
    ahead = 10 * MINUTE + 1_000;
    expect((await resend(dave)).body.message).toBe(over);
    ahead = 0;
    await changePhone(eve, phone);
    await deliver(api);
    expect((await confirmPhone(eve, await codeSentTo(api, phone))).status).toBe(200);
    expect((await resend(dave)).body.message).toBe('This mobile number is already in use');
  });
});

test('an email and a mobile that are confirmed at the same moment both count, and the old ones are free', async () => {
  const dave = await api.signIn();
  const [email, phone, before] = [freshEmail(), freshPhone(), await contactOf(dave)];
  await changeEmail(dave, email);
  await changePhone(dave, phone);
  const [token, code] = [await tokenSentTo(api, email), await codeSentTo(api, phone)];
  const answers = await Promise.all([
    api.post('/api/authenticate/email/confirm', { token }),
    confirmPhone(dave, code),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await contactOf(dave)).toMatchObject({ email, phone });
  const next = await api.signIn({ email: before.email, phone: before.phone });
  expect((await changeEmail(next, email)).status).toBe(409);
  expect((await changePhone(next, phone)).status).toBe(409);
});

describe('names', () => {
  test('change at once, one or both, without a password', async () => {
    const dave = await api.signIn();
    const both = await dave.put('/api/registration/account', { firstName: ' David ', lastName: 'Ngata' });
    expect(both.body.user).toMatchObject({ firstName: 'David', lastName: 'Ngata', initials: 'DN' });
    const one = await dave.put('/api/registration/account', { lastName: 'Ngata-Lee' });
    expect(one.body.user).toMatchObject({ firstName: 'David', lastName: 'Ngata-Lee' });
    expect((await dave.get('/api/authenticate')).body.user).toEqual(one.body.user);
  });

  test('are refused by field, and then no code goes out either', async () => {
    const dave = await api.signIn();
    const phone = freshPhone();
    const { status, body } = await dave.put('/api/registration/account', {
      ...{ firstName: '', lastName: 'Ng', phone, currentPassword: dave.password },
    });
    expect(status).toBe(422);
    expect(body.fields).toEqual({
      firstName: 'First name is required',
      lastName: 'Last name must be at least 3 characters long',
    });
    expect(await sentSms(api, phone)).toEqual([]);
  });
});

describe('on the public page', () => {
  const shown = async ({ slug }: SignedIn) => {
    const { form } = (await api.get(`/api/public-forms/${slug}`)).body;
    return form.contact;
  };

  test('each is shown when its owner wants it, and follows a change', async () => {
    const dave = await api.signIn();
    expect(await contactOf(dave)).toMatchObject({ showEmail: false, showPhone: false });
    expect(await shown(dave)).toEqual({ email: null, phone: null });
    const answer = await dave.put('/api/settings/contact', { showEmail: true });
    expect(answer.body.contact).toMatchObject({ showEmail: true, showPhone: false });
    expect(await shown(dave)).toEqual({ email: dave.email, phone: null });

    const email = freshEmail();
    await changeEmail(dave, email);
    await api.post('/api/authenticate/email/confirm', { token: await tokenSentTo(api, email) });
    expect(await shown(dave)).toEqual({ email, phone: null });
    await dave.put('/api/settings/contact', { showEmail: false, showPhone: true });
    expect((await shown(dave)).email).toBeNull();
    expect((await shown(dave)).phone).not.toBeNull();
  });
});
