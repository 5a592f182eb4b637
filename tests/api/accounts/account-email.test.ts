import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { sentMail, tokenSentTo } from '#tests/support/app/messages.ts';
import { changeEmail, contactOf, freshEmail, login } from '#tests/support/scenarios/registrations.ts';

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
    expect((await login(api, email, dave.password)).status).toBe(401);
    const token = await tokenSentTo(api, email);
    expect((await sentMail(api, email))[0]?.text).toContain('https://ute.example/confirm-email?t=');

    const confirmed = await confirmEmail(token);
    expect(confirmed.body).toEqual({ status: 'ok', message: 'Your email was changed', email });
    expect((await login(api, email, dave.password)).status).toBe(200);
    expect((await login(api, dave.email, dave.password)).status).toBe(401);
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
    expect((await login(api, dave.email, dave.password)).status).toBe(200);
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
    expect((await login(api, email, winner?.password ?? '')).body.user.email).toBe(email);
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
