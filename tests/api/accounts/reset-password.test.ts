import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { reservationKey } from '#api/accounts/reservations.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { deliver, linkIn, sentMail } from '#tests/support/app/messages.ts';
import { hashesDuring, login } from '#tests/support/scenarios/registrations.ts';

const MINUTE = 60_000;
const NEW = 'Kumara-harvest-7';
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

const forgot = (email: string, headers?: Record<string, string>) =>
  api.post('/api/authenticate/forgot-password', { email }, headers);

const reset = (body: Record<string, unknown>) =>
  api.post('/api/authenticate/reset-password', { newPassword: NEW, confirmPassword: NEW, ...body });

/** Asks for a link and opens the mail that came. */
async function tokenFor({ email }: SignedIn): Promise<string> {
  expect((await forgot(email)).status).toBe(200);
  return newestToken(email);
}

async function newestToken(email: string): Promise<string> {
  const mail = (await sentMail(api, email)).findLast(({ text }) => text.includes('/reset-password?t='));
  if (!mail) throw new Error('no mail with a link came');
  const token = new URLSearchParams(linkIn(mail).split('?')[1]).get('t') ?? '';
  expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  return token;
}

describe('a forgotten password', () => {
  test('is set anew through the link in the mail; every session ends, and the owner is notified', async () => {
    const dave = await api.signIn();
    const token = await tokenFor(dave);
    const answer = await reset({ token });
    expect(answer.body).toEqual({ status: 'ok', message: 'Password has been reset successfully' });

    expect((await dave.get('/api/authenticate')).status).toBe(403);
    expect((await login(api, dave.email, dave.password)).status).toBe(401);
    expect((await login(api, dave.email, NEW)).status).toBe(200);
    const [, told] = await sentMail(api, dave.email);
    expect(told?.subject).toBe('Your Ute password was changed');
    expect(told?.text).not.toContain(NEW);
  });

  test('answers and works the same for an address that no account has', async () => {
    const dave = await api.signIn();
    const [known, unknown] = [await forgot(dave.email), await forgot('nobody@acme.example')];
    expect(unknown.status).toBe(200);
    expect(unknown.text).toBe(known.text);
    const { rows } = await api.deps.db.query(
      `select kind, octet_length(data::text) as size from state.outbox where delivery_status = 'waiting'`,
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual(rows[1]);
    expect(await sentMail(api, 'nobody@acme.example')).toEqual([]);
    expect(await sentMail(api, dave.email)).toHaveLength(1);
  });

  test('is found whatever the spelling of its email, and only for what can be one', async () => {
    const dave = await api.signIn();
    await forgot(` ${dave.email.toUpperCase()} `);
    expect(await sentMail(api, dave.email)).toHaveLength(1);
    const { status, body } = await forgot('dave@acme');
    expect(status).toBe(422);
    expect(body.fields).toEqual({ email: 'Enter a valid email address' });
  });

  test('leads to our own address, whatever the request calls it', async () => {
    const dave = await api.signIn();
    const forged = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    };
    await forgot(dave.email, forged);
    const [mail] = await sentMail(api, dave.email);
    expect(mail?.text).toContain('https://ute.example/reset-password?t=');
    expect(`${mail?.text}${mail?.html}`).not.toContain('evil.example');
  });
});

describe('a link', () => {
  test('works for thirty minutes from when it was sent', async () => {
    const dave = await api.signIn();
    const first = await tokenFor(dave);
    ahead = 30 * MINUTE + 1_000;
    const late = await reset({ token: first });
    expect([late.status, late.body.message]).toEqual([422, DEAD]);
    ahead = 0;
    expect((await login(api, dave.email, dave.password)).status).toBe(200);

    const second = await tokenFor(dave);
    ahead = 29 * MINUTE;
    expect((await reset({ token: second })).status).toBe(200);
  });

  test('works once: of twenty at the same time, one', async () => {
    const dave = await api.signIn();
    const token = await tokenFor(dave);
    const choices = Array.from({ length: 20 }, (_, index) => `Kumara-harvest-${index}!`);
    const answers = await Promise.all(
      choices.map((choice) => reset({ token, newPassword: choice, confirmPassword: choice })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers) if (status !== 200) expect(body.message).toBe(DEAD);
    const winner = choices[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect((await login(api, dave.email, winner)).status).toBe(200);
    expect((await reset({ token })).body.message).toBe(DEAD);
    const told = (await sentMail(api, dave.email)).filter(({ subject }) => subject.includes('was changed'));
    expect(told).toHaveLength(1);
  });

  test('is dead once a newer one was sent', async () => {
    const dave = await api.signIn();
    const older = await tokenFor(dave);
    ahead = 1_000;
    const newer = await tokenFor(dave);
    expect(newer).not.toBe(older);
    expect((await reset({ token: older })).body.message).toBe(DEAD);
    expect((await reset({ token: newer })).status).toBe(200);
  });

  test('is the same in every copy of a mail, and no copy brings a used one back', async () => {
    const dave = await api.signIn();
    const token = await tokenFor(dave);
    await sendAgain(dave.email);
    expect(await newestToken(dave.email)).toBe(token);
    expect((await reset({ token })).status).toBe(200);
    await sendAgain(dave.email);
    expect((await reset({ token })).body.message).toBe(DEAD);
  });

  test('that waited behind a newer one neither goes out nor replaces it', async () => {
    const dave = await api.signIn();
    await forgot(dave.email);
    await api.deps.db.query(
      `update state.outbox set due_at = due_at + interval '10 minutes'
       where id = (select id from state.outbox where kind = 'password-reset' order by id desc limit 1)`,
    );
    ahead = 1_000;
    const newer = await tokenFor(dave);
    ahead = 11 * MINUTE;
    await deliver(api);
    expect(await sentMail(api, dave.email)).toHaveLength(1);
    expect((await reset({ token: newer })).status).toBe(200);
  });

  test('dies with a change of the password', async () => {
    const dave = await api.signIn();
    const token = await tokenFor(dave);
    const change = { currentPassword: dave.password, newPassword: NEW };
    expect((await dave.put('/api/authenticate/security', change)).status).toBe(200);
    expect((await reset({ token })).body.message).toBe(DEAD);
  });

  test('that is looked at still works, and one that is dead is refused as it would be with a password', async () => {
    const check = (token: string) => api.post('/api/authenticate/reset-password/check', { token });
    const dave = await api.signIn();
    const token = await tokenFor(dave);
    for (let look = 0; look < 3; look += 1) expect((await check(token)).body).toEqual({ status: 'ok' });
    ahead = 30 * MINUTE + 1_000;
    expect((await check(token)).body.message).toBe(DEAD);
    ahead = 0;
    expect((await reset({ token })).status).toBe(200);
    const used = await check(token);
    const unknown = await check('x'.repeat(43));
    const refused = await reset({ token });
    for (const { status, body } of [used, unknown, refused]) {
      expect([status, body]).toEqual([
        422,
        { status: 'error', code: 'link-over', message: DEAD, ref: expect.any(String) },
      ]);
    }
    expect(await hashesDuring(() => check(token))).toBe(0);
  });

  /** As when a process is killed between the provider's word and our own note of it. */
  async function sendAgain(email: string) {
    const claim = reservationKey(api.deps.config, 'email', email).toString('hex');
    await api.deps.db.query('delete from state.outbox_page');
    await api.deps.db.query(
      `update state.outbox set delivery_status = 'waiting', due_at = queued_at, data = $1
       where id = (select id from state.outbox where kind = 'password-reset' order by id desc limit 1)`,
      [{ claim }],
    );
    expect(await deliver(api)).toBeGreaterThan(0);
  }
});

describe('what comes with a link', () => {
  test('is read both ways, and the account is the secret’s alone', async () => {
    const [dave, eve] = [await api.signIn(), await api.signIn()];
    const code = await tokenFor(dave);
    expect((await reset({ code, user: eve.accountId })).status).toBe(200);
    expect((await login(api, dave.email, NEW)).status).toBe(200);
    expect((await login(api, eve.email, eve.password)).status).toBe(200);
    expect((await eve.get('/api/authenticate')).status).toBe(200);
  });

  test.each<[string, Record<string, unknown>, string, object | undefined]>([
    ['no secret', {}, 'Missing reset data', undefined],
    ['an empty secret', { token: '', code: '' }, 'Missing reset data', undefined],
    ['an unknown secret', { token: 'x'.repeat(43) }, DEAD, undefined],
    [
      'two passwords',
      { token: 'x'.repeat(43), confirmPassword: `${NEW}!` },
      'Passwords do not match',
      { confirmPassword: 'Passwords do not match' },
    ],
    [
      'a short password',
      { token: 'x'.repeat(43), newPassword: 'Ab1!', confirmPassword: 'Ab1!' },
      'Password Error',
      { newPassword: 'Your password needs to be at least 12 characters long.' },
    ],
    [
      'a common password',
      { token: 'x'.repeat(43), newPassword: 'Password123!', confirmPassword: 'Password123!' },
      'Password Error',
      { newPassword: 'This password is too common, please choose another.' },
    ],
  ])('%s is refused in its own words', async (_name, body, message, fields) => {
    const answer = await reset(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      ...{
        status: 'error',
        code: message === DEAD ? 'link-over' : 'invalid',
        message,
        ref: expect.any(String),
      },
      ...(fields ? { fields } : {}),
    });
  });

  test('costs no hash without a living secret', async () => {
    expect(await hashesDuring(() => reset({ token: 'x'.repeat(43) }))).toBe(0);
  });
});
