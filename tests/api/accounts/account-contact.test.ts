import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { finishContactChange, readContactChange } from '#api/accounts/contact/finish-contact-change.ts';
import { loadBusiness } from '#api/accounts/load-account.ts';
import { createApp } from '#api/app.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient } from '#tests/support/app/api-client.ts';
import { deliver, sentMail, sentSms } from '#tests/support/app/messages.ts';
import {
  changeEmail,
  changePhone,
  codeSentTo,
  contactOf,
  freshEmail,
  freshPhone,
  tokenSentTo,
} from '#tests/support/scenarios/accounts.ts';

describe('account email', () => {
  const MINUTE = 60_000;
  const DEAD = 'This link has expired or was already used. Please ask for a new one.';

  let api: TestApp;
  let ahead = 0;

  beforeAll(async () => {
    api = await testApp({
      now: () => new Date(Date.now() + ahead),
      env: { PUBLIC_ORIGIN: 'https://ute.example' },
    });
  });
  beforeEach(() => {
    ahead = 0;
  });
  afterAll(() => api?.close());

  const confirmEmail = (token: string) => api.post('/api/authenticate/email/confirm', { token });
  const login = (email: string, password: string) => api.post('/api/authenticate/login', { email, password });

  async function reservationsOf({ accountId }: SignedIn) {
    const { rows } = await api.deps.db.query(
      `select kind, status from state.reservations where owner = $1 and kind <> 'slug' order by kind`,
      [accountId],
    );
    return rows;
  }

  describe('another email', () => {
    test('counts once its owner has opened the link, and the old one is notified', async () => {
      const dave = await api.signIn();
      const email = freshEmail();
      const asked = await changeEmail(dave, ` ${email.toUpperCase()} `);
      expect(asked.body.contact).toMatchObject({
        ...{ email: dave.email, pendingPhone: null },
        pendingEmail: { value: email, expiresAt: expect.any(String) },
      });
      expect((await login(email, dave.password)).status).toBe(401);
      const token = await tokenSentTo(api, email);
      expect((await sentMail(api, email))[0]?.text).toContain('https://ute.example/confirm-email?t=');

      const confirmed = await confirmEmail(token);
      expect(confirmed.body).toEqual({ status: 'ok', message: 'Your email was changed', email });
      expect((await login(email, dave.password)).status).toBe(200);
      expect((await login(dave.email, dave.password)).status).toBe(401);
      expect((await dave.get('/api/authenticate')).body.user.email).toBe(email);
      expect(await contactOf(dave)).toMatchObject({ email, pendingEmail: null });
      expect(await reservationsOf(dave)).toEqual([
        { kind: 'email', status: 'kept' },
        { kind: 'mobile', status: 'kept' },
      ]);

      ahead = MINUTE;
      const [told] = await sentMail(api, dave.email);
      expect(told).toMatchObject({ to: dave.email, subject: 'Your Ute email address was changed' });
      expect(`${told?.text}${told?.html}`).not.toContain(email);
      expect((await api.signIn({ email: dave.email })).email).toBe(dave.email);
    });

    test('needs the current password', async () => {
      const dave = await api.signIn();
      for (const body of [{}, { currentPassword: '' }]) {
        const { status, body: said } = await dave.put('/api/authenticate/email', {
          email: freshEmail(),
          ...body,
        });
        expect([status, said.fields]).toEqual([422, { currentPassword: 'Enter your current password' }]);
      }
      const wrong = await changeEmail(dave, freshEmail(), 'Spanner#Wrench43');
      expect([wrong.status, wrong.body.fields]).toEqual([
        422,
        { currentPassword: 'This is not your current password' },
      ]);
      expect((await contactOf(dave)).pendingEmail).toBeNull();
    });

    test('is an address, and no other account’s: when it is asked for, and when it is confirmed', async () => {
      const [dave, eve] = [await api.signIn(), await api.signIn()];
      const malformed = await changeEmail(dave, 'dave@acme');
      expect([malformed.status, malformed.body.fields]).toEqual([
        422,
        { email: 'Enter a valid email address' },
      ]);
      const taken = await changeEmail(dave, eve.email);
      expect([taken.status, taken.body.message]).toEqual([409, "This email's already signed up."]);

      const email = freshEmail();
      await changeEmail(dave, email);
      const token = await tokenSentTo(api, email);
      await api.signIn({ email });
      const late = await confirmEmail(token);
      expect([late.status, late.body.message]).toEqual([409, "This email's already signed up."]);
      expect((await login(dave.email, dave.password)).status).toBe(200);
    });

    test('of two accounts that want one, one gets it', async () => {
      const both = [await api.signIn(), await api.signIn()];
      const email = freshEmail();
      const tokens: string[] = [];
      for (const who of both) {
        await changeEmail(who, email);
        tokens.push(await tokenSentTo(api, email));
      }
      const answers = await Promise.all(tokens.map(confirmEmail));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const [winner, loser] = answers[0]?.status === 200 ? both : both.toReversed();
      expect((await login(email, winner?.password ?? '')).body.user.email).toBe(email);
      expect((await contactOf(loser as SignedIn)).email).toBe(loser?.email);
    });

    test('is confirmed by one link: the newest, within the hour, once however often it is pressed', async () => {
      const dave = await api.signIn();
      const [first, second] = [freshEmail(), freshEmail()];
      await changeEmail(dave, first);
      const older = await tokenSentTo(api, first);
      await changeEmail(dave, second);
      const newer = await tokenSentTo(api, second);
      expect((await confirmEmail(older)).body.message).toBe(DEAD);
      ahead = 61 * MINUTE;
      expect((await confirmEmail(newer)).body.message).toBe(DEAD);
      ahead = 59 * MINUTE;
      const answers = await Promise.all(Array.from({ length: 10 }, () => confirmEmail(newer)));
      expect(answers.some(({ status }) => status === 200)).toBe(true);
      const changes = (await api.deps.store.readStream(`account-${dave.accountId}`)).filter(
        ({ type }) => type === 'AccountEmailChanged',
      );
      expect(changes).toHaveLength(1);
      ahead = 60 * MINUTE;
      expect((await sentMail(api, dave.email)).length).toBe(1);
      expect((await confirmEmail(newer)).body.message).toBe(DEAD);
    });

    test('that was called off before its mail went out is not mailed', async () => {
      const dave = await api.signIn();
      const email = freshEmail();
      await changeEmail(dave, email);
      expect((await dave.delete('/api/authenticate/email')).body.contact.pendingEmail).toBeNull();
      expect(await sentMail(api, email)).toEqual([]);
    });

    test.each<[string, (who: SignedIn) => Promise<unknown>]>([
      ['it is called off', (who) => who.delete('/api/authenticate/email')],
      ['the present one is given again', (who) => changeEmail(who, who.email, '')],
      [
        'the password is changed',
        (who) =>
          who.put('/api/authenticate/security', {
            ...{ currentPassword: who.password, newPassword: 'Kumara-harvest-7' },
          }),
      ],
      [
        'the password is set anew',
        async (who) => {
          await api.post('/api/authenticate/forgot-password', { email: who.email });
          const [token, newPassword] = [await tokenSentTo(api, who.email), 'Kumara-harvest-7'];
          const reset = { token, newPassword, confirmPassword: newPassword };
          await api.post('/api/authenticate/reset-password', reset);
        },
      ],
    ])('is not to be once %s', async (_name, callOff) => {
      const dave = await api.signIn();
      const email = freshEmail();
      await changeEmail(dave, email);
      const token = await tokenSentTo(api, email);
      await callOff(dave);
      expect((await confirmEmail(token)).body.message).toBe(DEAD);
    });

    test('makes the links dead that the old address was sent', async () => {
      const dave = await api.signIn();
      await api.post('/api/authenticate/forgot-password', { email: dave.email });
      const reset = await tokenSentTo(api, dave.email);
      const email = freshEmail();
      await changeEmail(dave, email);
      await confirmEmail(await tokenSentTo(api, email));
      const password = { newPassword: 'Kumara-harvest-7', confirmPassword: 'Kumara-harvest-7' };
      const answer = await api.post('/api/authenticate/reset-password', { token: reset, ...password });
      expect([answer.status, answer.body.message]).toEqual([422, DEAD]);
    });
  });
});

describe('account phone', () => {
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
});

describe('contact process', () => {
  let api: TestApp;
  beforeAll(async () => {
    api = await testApp({ processes: true });
  });
  afterAll(() => api?.close());

  async function emailReservations({ accountId }: SignedIn): Promise<number> {
    const { rowCount } = await api.deps.db.query(
      `select from state.reservations where owner = $1 and kind = 'email' and status = 'kept'`,
      [accountId],
    );
    return rowCount ?? 0;
  }

  /** Confirms a change of email in a process that dies right after the event. */
  async function confirmAndDie(owner: SignedIn, email: string): Promise<void> {
    await changeEmail(owner, email);
    const token = await tokenSentTo(api, email);
    let hasAppended = false;
    const { store, db } = api.deps;
    const dying = createApp({
      ...api.deps,
      store: {
        ...store,
        async append(...args) {
          if (hasAppended) throw new Error('killed');
          const appended = await store.append(...args);
          hasAppended = true;
          return appended;
        },
        readStream: (...args) =>
          hasAppended ? Promise.reject(new Error('killed')) : store.readStream(...args),
      },
      db,
    });
    const answer = await apiClient(dying).post('/api/authenticate/email/confirm', { token });
    expect(answer.status).toBe(500);
  }

  test('a change of email whose request died after the event is finished by the process alone, before any notice is sent', async () => {
    const owner = await api.signIn();
    await owner.put('/api/settings/contact', { showEmail: true });
    const email = freshEmail();
    await confirmAndDie(owner, email);
    const { password } = owner;
    const signsIn = async () =>
      (await api.post('/api/authenticate/login', { email, password })).status === 200;
    await expect.poll(signsIn, { timeout: 20_000 }).toBe(true);
    await api.settle();
    expect(await emailReservations(owner)).toBe(1);
    expect((await loadBusiness(api.deps, owner.businessId))?.contact.email).toBe(email);
    expect((await api.signIn({ email: owner.email })).email).toBe(owner.email);
  });

  test('an earlier change that is met again changes nothing that came after it', async () => {
    const owner = await api.signIn();
    const [first, second] = [owner.email, freshEmail()];
    for (const email of [second, first]) {
      await changeEmail(owner, email);
      const token = await tokenSentTo(api, email);
      expect((await api.post('/api/authenticate/email/confirm', { token })).status).toBe(200);
    }
    await owner.put('/api/settings/contact', { showEmail: true });
    await api.settle();
    const stream = await api.deps.store.readStream(`account-${owner.accountId}`);
    const changeId = stream.find(({ type }) => type === 'AccountEmailChanged')?.metadata.causation ?? '';
    const change = await readContactChange(api.deps, { accountId: owner.accountId, changeId });
    expect([change?.before.email, change?.after.email, change?.present.email]).toEqual([
      first,
      second,
      first,
    ]);
    // As after a log was restored: everything is followed anew.
    await finishContactChange(api.deps, { accountId: owner.accountId, changeId });
    expect((await loadBusiness(api.deps, owner.businessId))?.contact.email).toBe(first);
  });
});
