import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { deliver, sentMail, sentSms } from '#tests/support/app/messages.ts';
import { changePhone, freshPhone } from '#tests/support/scenarios/registrations.ts';

const NEW = 'Kumara-harvest-7';

let api: TestApp;
beforeAll(async () => {
  api = await testApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
});
afterAll(() => api?.close());

const change = (who: SignedIn, body: Record<string, unknown> = {}) =>
  who.put('/api/authenticate/security', { currentPassword: who.password, newPassword: NEW, ...body });

const login = (email: string, password: string, from = '192.0.2.1') =>
  api.post('/api/authenticate/login', { email, password }, { 'x-forwarded-for': from });

/** Each comparison waits until there are so many: all of them have read the same hash then, on a busy machine too. */
function holdComparisons(amount: number) {
  const compare = Bun.password.verify;
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return vi.spyOn(Bun.password, 'verify').mockImplementation(async (...given) => {
    waiting += 1;
    if (waiting === amount) resolve();
    await complete;
    return compare(...given);
  });
}

describe('a new password', () => {
  test('keeps this session, ends the others, and the owner is notified', async () => {
    const dave = await api.signIn();
    const { body } = await login(dave.email, dave.password);
    const phone = api.as({ authorization: `Bearer ${body.token}` });
    const answer = await change(dave, { confirmPassword: NEW });
    expect(answer.body).toEqual({ status: 'ok', message: 'Your password was changed' });

    expect((await dave.get('/api/authenticate')).status).toBe(200);
    expect((await phone.get('/api/authenticate')).status).toBe(403);
    expect((await login(dave.email, dave.password)).status).toBe(401);
    expect((await login(dave.email, NEW)).status).toBe(200);
    const [mail] = await sentMail(api, dave.email);
    expect(mail).toMatchObject({ to: dave.email, subject: 'Your Ute password was changed' });
    expect(mail?.text).toMatch(/was changed on \w{3}, \d\d \w{3} \d{4} \d+:\d\d[AP]M\./);
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Kumara|Spanner/);
  });

  test.each<[string, Record<string, unknown>, string, object]>([
    [
      'without the current one',
      { currentPassword: 'Spanner#Wrench43' },
      'Please check what you entered',
      { currentPassword: 'This is not your current password' },
    ],
    [
      'that is not the same twice',
      { confirmPassword: `${NEW}!` },
      'Passwords do not match',
      { confirmPassword: 'Passwords do not match' },
    ],
    [
      'that lacks something',
      { newPassword: 'Kumara-harvest' },
      'Password Error',
      { newPassword: 'Add a number' },
    ],
    [
      'that is too long',
      { newPassword: `Aa1!${'x'.repeat(125)}` },
      'Password Error',
      { newPassword: 'Your password can be at most 128 characters long.' },
    ],
    [
      'that many have',
      { newPassword: 'Password123!' },
      'Password Error',
      { newPassword: 'This password is too common, please choose another.' },
    ],
  ])('%s is refused', async (_name, body, message, fields) => {
    const dave = await api.signIn();
    const answer = await change(dave, body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ message, fields });
    expect((await dave.get('/api/authenticate')).status).toBe(200);
    await deliver(api);
    expect(await sentMail(api, dave.email)).toEqual([]);
  });

  test('takes every character as it was typed, up to 128 of them', async () => {
    const dave = await api.signIn();
    const long = ` Āa1!  ${'é'.repeat(120)} `;
    expect([...long]).toHaveLength(128);
    expect((await change(dave, { newPassword: long })).status).toBe(200);
    expect((await login(dave.email, long.trim())).status).toBe(401);
    expect((await login(dave.email, long.normalize('NFD'))).status).toBe(200);
  });

  test('is not the owner’s own email with trimmings', async () => {
    const dave = await api.signIn({ email: 'davenguyen@acme.example' });
    const answer = await change(dave, { newPassword: 'Davenguyen-2026!' });
    expect([answer.status, answer.body.message]).toEqual([422, 'Password Error']);
  });

  test('of several at once is one', async () => {
    const dave = await api.signIn();
    const choices = [1, 2, 3, 4].map((number) => `Kumara-harvest-${number}!`);
    const comparisons = holdComparisons(choices.length);
    const answers = await Promise.all(choices.map((choice) => change(dave, { newPassword: choice })));
    comparisons.mockRestore();
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const winner = choices[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await login(dave.email, winner, '192.0.2.9')).status).toBe(200);
  });
});

test('a stolen session that guesses at the current password is refused further guesses, and the owner is not', async () => {
  const dave = await api.signIn();
  const { body } = await login(dave.email, dave.password, '192.0.2.20');
  const owner = api.as({ authorization: `Bearer ${body.token}` });
  const guesses: number[] = [];
  for (let guess = 0; guess < 6; guess += 1) {
    guesses.push((await change(dave, { currentPassword: `Guess-number-${guess}` })).status);
  }
  expect(guesses).toEqual([422, 422, 422, 422, 422, 429]);
  const refused = await change(dave);
  expect(refused.status).toBe(429);
  expect(refused.body.message).toMatch(/^Too many attempts\. Please try again in 1\d minutes\.$/);
  const email = await dave.put('/api/authenticate/email', {
    email: 'thief@evil.example',
    currentPassword: dave.password,
  });
  expect(email.status).toBe(429);

  const answer = await owner.put('/api/authenticate/security', {
    currentPassword: dave.password,
    newPassword: NEW,
  });
  expect(answer.status).toBe(200);
  expect((await dave.get('/api/authenticate')).status).toBe(403);
});

test('codes to a new mobile go out within the budget of them all', async () => {
  const dave = await api.signIn();
  const phone = freshPhone();
  expect((await changePhone(dave, phone)).status).toBe(200);
  const again = await changePhone(dave, phone);
  expect(again.status).toBe(429);
  expect(Number(again.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(again.body.message).toMatch(/^Too many attempts\. Please try again in \d+ (seconds|minute)\b/);
  expect(await sentSms(api, phone)).toHaveLength(1);
  const statuses: number[] = [];
  for (let number = 0; number < 4; number += 1) statuses.push((await changePhone(dave, freshPhone())).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('another code is refused in the words of the registration until a minute has gone by', async () => {
  const dave = await api.signIn();
  const phone = freshPhone();
  expect((await changePhone(dave, phone)).status).toBe(200);
  const again = await dave.post('/api/authenticate/phone/code');
  expect(again.status).toBe(429);
  expect(again.body.message).toContain('We have just sent a code to this number. Please wait a while');
  expect(Number(again.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(await sentSms(api, phone)).toHaveLength(1);
});
