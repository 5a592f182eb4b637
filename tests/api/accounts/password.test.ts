import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { reservationKey } from '#api/accounts/reservations.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { deliver, linkIn, sentMail, sentSms } from '#tests/support/app/messages.ts';
import { changePhone, freshPhone, hashesDuring } from '#tests/support/scenarios/accounts.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
});
afterAll(() => app?.close());

describe('change password', () => {
  const NEW = 'Kumara-harvest-7';

  let api: TestApp;
  beforeAll(() => {
    api = app;
  });

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
    for (let number = 0; number < 4; number += 1)
      statuses.push((await changePhone(dave, freshPhone())).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe('password limits', () => {
  const MINUTE = 60_000;

  let api: TestApp;
  let dave: SignedIn;

  beforeAll(async () => {
    api = app;
    dave = await api.signIn();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The limiter counts by `Date.now`. */
  function pass(milliseconds: number) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
  }

  const forgot = (email: string, from: string) =>
    api.post('/api/authenticate/forgot-password', { email }, { 'x-forwarded-for': from });
  const reset = (from: string) => {
    const password = { newPassword: 'Kumara-harvest-7', confirmPassword: 'Kumara-harvest-7' };
    const body = { token: 'x'.repeat(43), ...password };
    return api.post('/api/authenticate/reset-password', body, { 'x-forwarded-for': from });
  };

  test('ten requests from anywhere are three mails, and one answer', async () => {
    const answers = [];
    for (let network = 0; network < 10; network += 1) {
      answers.push(await forgot(dave.email, `198.51.100.${network}`));
      await deliver(api);
    }
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await sentMail(api, dave.email)).length).toBe(3);

    pass(60 * MINUTE + 1_000);
    expect((await forgot(dave.email, '198.51.100.99')).status).toBe(200);
    expect((await sentMail(api, dave.email)).length).toBe(4);
  });

  test.each([
    ['ten links an hour', 10, (from: string) => forgot(`of-${crypto.randomUUID()}@acme.example`, from)],
    ['twenty secrets an hour', 20, reset],
  ] as const)('one address gets %s, whatever it says before our proxy', async (_name, most, ask) => {
    const address = `203.0.113.${most}`;
    const statuses: number[] = [];
    for (let index = 0; index < most; index += 1) {
      statuses.push((await ask(`10.0.0.${index}, ${address}`)).status);
    }
    expect(statuses).not.toContain(429);
    const refused = await ask(`10.9.9.9, ${address}`);
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(59 * 60);
    expect(wait).toBeLessThanOrEqual(60 * 60);
    expect(refused.body.message).toBe('Too many attempts. Please try again in 60 minutes.');
    expect((await ask('203.0.113.250')).status).not.toBe(429);
    pass(60 * MINUTE + 1_000);
    expect((await ask(address)).status).not.toBe(429);
  });

  test('an IPv6 client has one count for all of its addresses', async () => {
    for (let index = 0; index < 10; index += 1) {
      await forgot(`of-${crypto.randomUUID()}@acme.example`, `2001:db8:1:2::${index}`);
    }
    expect((await forgot('a@acme.example', '2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await forgot('a@acme.example', '2001:db8:1:3::1')).status).toBe(200);
  });

  test('the counters hold no email', async () => {
    const { rows } = await api.deps.db.query(`select key from state.rate_limits where key like 'forgot:%'`);
    expect(rows.length).toBeGreaterThan(0);
    for (const { key } of rows) expect(key).toMatch(/^forgot:[A-Za-z0-9_-]{43}$/);
  });
});

describe('reset password', () => {
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

  const login = (email: string, password: string) => api.post('/api/authenticate/login', { email, password });

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
      expect((await login(dave.email, dave.password)).status).toBe(401);
      expect((await login(dave.email, NEW)).status).toBe(200);
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
      expect((await login(dave.email, dave.password)).status).toBe(200);

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
      expect((await login(dave.email, winner)).status).toBe(200);
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
      expect((await login(dave.email, NEW)).status).toBe(200);
      expect((await login(eve.email, eve.password)).status).toBe(200);
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
        ...{ status: 'error', message, ref: expect.any(String) },
        ...(fields ? { fields } : {}),
      });
    });

    test('costs no hash without a living secret', async () => {
      expect(await hashesDuring(() => reset({ token: 'x'.repeat(43) }))).toBe(0);
    });
  });
});
