import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countFormRequest } from '#api/intake/public-form/intake-limits.ts';
import { submitJobRequest } from '#api/intake/public-form/submit.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { payloadOf, solve } from '#tests/support/app/bot-check.ts';
import { type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { aJobRequest, aTicket, postForm, sendForm } from '#tests/support/scenarios/job-requests.ts';
import { type ProviderServer, providerServer } from '#tests/support/servers/http-providers.ts';

describe('bot check', () => {
  const MINUTE = 60_000;
  const opening = Date.parse('2026-11-03T01:00:00.000Z');
  let at = opening;
  let app: TestApp;
  let acme: SignedIn;

  beforeAll(async () => {
    app = await testApp({ now: () => new Date(at) });
    acme = await app.signIn();
  });
  beforeEach(() => {
    at = opening;
  });
  afterAll(() => app.close());

  async function solved(scope = 'public-form'): Promise<string> {
    const { body } = await app.get(`/api/bot-check/challenge?scope=${scope}`);
    return payloadOf(body.challenge, await solve(body.challenge));
  }
  const verify = (payload: string, scope = 'public-form') =>
    app.post('/api/bot-check/verify', { scope, payload });
  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

  test('a solved challenge buys a ticket, and the ticket one job', async () => {
    const ticket = await aTicket(app);
    expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).body.status).toBe('ok');
    const second = await sendForm(app, acme.slug, { title: 'Another' }, { 'x-bot-check': ticket });
    expect(second).toMatchObject({ status: 400, body: { status: 'error' } });
  });

  test('a challenge counts once, in turn or twenty at once', async () => {
    const payload = await solved();
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(payload)));
    expect(statuses(answers)).toEqual([200, ...Array(19).fill(400)]);
    expect((await verify(payload)).body.message).toBe('The bot check was used already, please try again');
  });

  test('a ticket spent on two jobs at once makes one', async () => {
    const ticket = await aTicket(app);
    const before = await jobCount();
    const answers = await Promise.all(
      ['First', 'Second', 'Third'].map((title) =>
        sendForm(app, acme.slug, { title }, { 'x-bot-check': ticket }),
      ),
    );
    expect(statuses(answers)).toEqual([200, 400, 400]);
    expect(await jobCount()).toBe(before + 1);
  });

  test('a challenge lives five minutes and a ticket thirty', async () => {
    const payload = await solved();
    const ticket = await aTicket(app);
    at += 5 * MINUTE;
    expect((await verify(payload)).body.message).toBe('The bot check took too long, please try again');
    at = opening + 30 * MINUTE;
    expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).status).toBe(400);
  });

  test('a solution and a ticket are good for one scope', async () => {
    expect((await verify(await solved('registration'))).status).toBe(400);
    const ticket = await aTicket(app, 'registration');
    expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).status).toBe(400);
  });

  test('missing, wrong and unknown are refused', async () => {
    const { body } = await app.get('/api/bot-check/challenge?scope=public-form');
    const guess = { counter: 1, derivedKey: '00'.repeat(32) };
    expect((await verify(payloadOf(body.challenge, guess))).status).toBe(400);
    expect((await verify('')).status).toBe(400);
    expect((await app.get('/api/bot-check/challenge?scope=elsewhere')).status).toBe(422);
    expect((await app.get('/api/bot-check/challenge')).status).toBe(422);
    const missing = await app.post(`/api/public-forms/${acme.slug}/jobs`, {
      ...{ name: 'A', email: 'a@example.com', phone: '0491570156', address: 'B', title: 'C' },
    });
    expect(missing).toMatchObject({ status: 400, body: { status: 'error' } });
    expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': 'nonsense' })).status).toBe(400);
  });

  test('an input error does not cost the ticket', async () => {
    const ticket = await aTicket(app);
    const wrong = await sendForm(app, acme.slug, { email: 'nobody' }, { 'x-bot-check': ticket });
    expect(wrong.status).toBe(422);
    expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).status).toBe(200);
  });

  test('neither tickets nor solutions are stored in the clear, and none for long', async () => {
    const ticket = await aTicket(app);
    const { rows } = await app.deps.db.query(
      'select t::text from state.bot_check_tickets t union all select s::text from state.bot_check_spent s',
    );
    expect(JSON.stringify(rows)).not.toContain(ticket);
    at += 60 * MINUTE;
    for (let times = 0; times < 3; times += 1) await aTicket(app);
    const left = await app.deps.db.query(
      `select 1 from state.bot_check_tickets where expires_at <= $1
     union all select 1 from state.bot_check_spent where expires_at <= $1`,
      [new Date(at)],
    );
    expect(left.rowCount).toBe(0);
  });

  async function jobCount(): Promise<number> {
    await app.settle();
    return (await acme.get('/api/jobs/count')).body.count.all;
  }
});

describe('form price', () => {
  const MINUTE = 60_000;
  let at = Date.parse('2026-11-03T01:00:00.000Z');
  let app: TestApp;
  let acme: SignedIn;

  beforeAll(async () => {
    app = await testApp({
      now: () => new Date(at),
      env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', BOT_CHECK_COST: '1' },
    });
  });
  beforeEach(async () => {
    at += 26 * 60 * MINUTE;
    acme = await app.signIn();
  });
  afterAll(() => app.close());

  const from = (address: string) => app.as({ 'x-forwarded-for': address });
  const post = (address: string, key: string) =>
    sendForm(from(address), acme.slug, { title: `Job ${key}` }, { 'idempotency-key': key });

  describe('in a rush of requests', () => {
    const challenge = async (query: string) =>
      (await app.get(`/api/bot-check/challenge?scope=public-form${query}`)).body.challenge;
    const costOf = async (slug: string) => (await challenge(`&form=${slug}`)).parameters.cost;

    test('the bot check of that business costs more, in steps up to four times, and of no other', async () => {
      const other = await app.signIn();
      const costs = [await costOf(acme.slug)];
      for (const requests of [29, 1, 30, 60, 500]) {
        for (let n = 0; n < requests; n += 1)
          await countFormRequest(app.deps.db, acme.businessId, new Date(at));
        costs.push(await costOf(acme.slug));
      }
      expect(costs).toEqual([1, 1, 2, 3, 4, 4]);
      expect(await costOf(other.slug)).toBe(1);
      at += 11 * MINUTE;
      expect(await costOf(acme.slug)).toBe(1);
      expect(await costOf('none-of-ours')).toBe(1);
    });

    test('refused requests count, and a ticket that cost too little is to be earned anew', async () => {
      const cheap = { 'x-bot-check': await aTicket(app) };
      for (let n = 0; n < 60; n += 1) await postForm(from(`10.9.${n}.1`), acme.slug);
      const refused = await sendForm(from('203.0.113.30'), acme.slug, {}, cheap);
      expect(refused).toMatchObject({
        status: 400,
        body: { botCheck: { scope: 'public-form', price: 3 }, message: expect.stringContaining('person') },
      });
      const dear = { 'x-bot-check': await dearTicket(app, 3) };
      expect((await sendForm(from('203.0.113.30'), acme.slug, {}, dear)).status).toBe(200);
      expect((await app.get('/api/bot-check/challenge?scope=public-form&price=5')).status).toBe(422);
    });

    describe('the price is not raised by', () => {
      const rise = async (requests: number) => {
        for (let n = 0; n < requests; n += 1)
          await countFormRequest(app.deps.db, acme.businessId, new Date(at));
      };

      test('posts with an invented ticket', async () => {
        for (let n = 0; n < 31; n += 1) {
          const { status } = await sendForm(from(`10.20.${n}.1`), acme.slug, {}, { 'x-bot-check': 'x' });
          expect(status).toBe(400);
        }
        expect(await costOf(acme.slug)).toBe(1);
      });

      test('one ticket that cost too little, however often it is sent', async () => {
        await rise(30);
        const cheap = { 'x-bot-check': await aTicket(app) };
        for (let n = 0; n < 31; n += 1) {
          expect((await sendForm(from(`10.21.${n}.1`), acme.slug, {}, cheap)).status).toBe(400);
        }
        expect(await costOf(acme.slug)).toBe(2);
        await rise(28);
        expect(await costOf(acme.slug)).toBe(2);
        await rise(1);
        expect(await costOf(acme.slug)).toBe(3);
      });

      test('the same request once more', async () => {
        await rise(29);
        for (let n = 0; n < 3; n += 1) expect((await post('203.0.113.40', 'once-more')).status).toBe(200);
        expect(await costOf(acme.slug)).toBe(2);
        await rise(29);
        expect(await costOf(acme.slug)).toBe(2);
      });

      test('what a single source sends without a check beyond its limit', async () => {
        await rise(27);
        for (let n = 0; n < 10; n += 1) await postForm(from('203.0.113.41'), acme.slug);
        expect(await costOf(acme.slug)).toBe(2);
        await rise(29);
        expect(await costOf(acme.slug)).toBe(2);
      });
    });
  });

  test('a form that is sent faster than a person reads is refused, and its ticket stays good', async () => {
    const quick = await testApp({
      now: () => new Date(at),
      env: { RATE_LIMITS: 'on', BOT_CHECK_COST: '1', FORM_LEAST_SECONDS: '3' },
    });
    const { slug } = await quick.signIn();
    const headers = { 'x-bot-check': await aTicket(quick) };
    at += 2_999;
    const refused = await sendForm(quick, slug, {}, headers);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'That was very quick: please check what you entered and send it again',
    ]);
    at += 1;
    expect((await sendForm(quick, slug, {}, headers)).status).toBe(200);
    await quick.close();
  });

  test('a ticket that is earned anew because the price rose is not too quick', async () => {
    const quick = await testApp({
      now: () => new Date(at),
      env: { RATE_LIMITS: 'on', BOT_CHECK_COST: '1', FORM_LEAST_SECONDS: '3' },
    });
    const { slug, businessId } = await quick.signIn();
    const cheap = { 'x-bot-check': await aTicket(quick) };
    at += 10_000;
    for (let n = 0; n < 30; n += 1) await countFormRequest(quick.deps.db, businessId, new Date(at));
    const { price } = (await sendForm(quick, slug, {}, cheap)).body.botCheck;
    expect(price).toBe(2);
    const headers = { 'x-bot-check': await dearTicket(quick, price) };
    expect((await sendForm(quick, slug, {}, headers)).status).toBe(200);
    await quick.close();
  });

  async function dearTicket(client: TestApp, price: number): Promise<string> {
    const { challenge } = (await client.get(`/api/bot-check/challenge?scope=public-form&price=${price}`))
      .body;
    const payload = payloadOf(challenge, await solve(challenge));
    return (await client.post('/api/bot-check/verify', { scope: 'public-form', payload })).body.ticket;
  }
});

describe('turnstile', () => {
  const NOW = new Date('2026-11-20T10:00:00Z');
  let provider: ProviderServer;
  let api: TestApp;
  let answer: () => Response | Promise<Response>;
  const solved =
    (changes: object = {}) =>
    () =>
      Response.json({
        ...{ success: true, challenge_ts: NOW.toISOString(), hostname: 'localhost', action: 'registration' },
        ...{ 'error-codes': [], cdata: '', metadata: {}, ...changes },
      });

  beforeAll(async () => {
    provider = providerServer(() => answer());
    api = await testApp({
      env: {
        ...{ BOT_CHECK: 'turnstile', TURNSTILE_SITE_KEY: 'site-key', TURNSTILE_SECRET: 'turnstile-secret' },
        TURNSTILE_URL: provider.url,
      },
      now: () => NOW,
    });
  });
  afterEach(() => {
    answer = solved();
  });
  afterAll(async () => {
    await api?.close();
    await provider?.stop();
  });
  answer = solved();

  let tokens = 0;
  const verify = (payload = `token-${(tokens += 1)}`) =>
    api.post('/api/bot-check/verify', { scope: 'registration', payload });

  test('the page learns whose widget to draw, and for which operation', async () => {
    const { body } = await api.get('/api/bot-check/challenge?scope=registration');
    expect(body.challenge).toEqual({ provider: 'turnstile', siteKey: 'site-key', action: 'registration' });
    expect(JSON.stringify(body)).not.toContain('turnstile-secret');
  });

  test('a solved one opens a registration, once', async () => {
    const first = await verify('one-token');
    expect(first.status).toBe(200);
    expect(provider.requests.at(-1)).toMatchObject({
      ...{ method: 'POST', path: '/turnstile/v0/siteverify' },
      body: { secret: 'turnstile-secret', response: 'one-token' },
    });
    expect((await verify('one-token')).status).toBe(400);
    const ticket = { 'x-bot-check': first.body.ticket };
    expect((await api.post('/api/registration/tradies', {}, ticket)).status).toBe(200);
  });

  describe('it is refused', () => {
    test.each([
      ['that is wrong', { success: false, 'error-codes': ['invalid-input-response'] }],
      ['that was used', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
      ['for another operation', { action: 'public-form' }],
      ['of another site', { hostname: 'evil.example' }],
      ['of no site', { hostname: null }],
      ['that is too old', { challenge_ts: '2026-11-20T09:54:59Z' }],
      ['without a time', { challenge_ts: null }],
    ])('a token %s', async (_what, changes) => {
      answer = solved(changes);
      expect((await verify()).status).toBe(400);
    });

    test('a text that no token is, without asking', async () => {
      const asked = provider.requests.length;
      expect((await verify('')).status).toBe(400);
      expect((await verify('x'.repeat(2_049))).status).toBe(400);
      expect(provider.requests).toHaveLength(asked);
    });
  });

  describe('no client gets in while it', () => {
    test.each([
      ['fails', () => new Response('no', { status: 500 })],
      ['answers something else', () => Response.json({ passed: true })],
      ['answers a page', () => new Response('<html>')],
      ['sends elsewhere', () => Response.redirect('http://127.0.0.1:1/')],
    ])('%s', async (_what, given) => {
      answer = given;
      expect((await verify()).status).toBe(503);
    });
  });
});

describe('held requests', () => {
  const customer = 'aroha.t@example.com';
  let provider: ProviderServer;
  let isUnavailable = false;
  let app: MessageApp;
  let dave: SignedIn;
  beforeAll(async () => {
    provider = providerServer(() =>
      isUnavailable
        ? new Response('gateway', { status: 502 })
        : Response.json({
            ...{ success: true, challenge_ts: app.deps.now().toISOString() },
            ...{ hostname: 'localhost', action: 'public-form' },
          }),
    );
    app = await messageApp({
      env: {
        ...{ BOT_CHECK: 'turnstile', TURNSTILE_SITE_KEY: 'site-key', TURNSTILE_SECRET: 'turnstile-secret' },
        ...{ TURNSTILE_URL: provider.url, RATE_LIMITS: 'on' },
      },
    });
    dave = await app.signIn();
  });
  afterAll(async () => {
    await app?.close();
    await provider?.stop();
  });

  let tokens = 0;
  async function send(title: string) {
    const payload = `token-${(tokens += 1)}`;
    const { body } = await app.post('/api/bot-check/verify', { scope: 'public-form', payload });
    return app.post(`/api/public-forms/${dave.slug}/jobs`, aJobRequest({ title, isUrgent: true }), {
      'x-bot-check': body.ticket,
    });
  }
  const newest = async () => {
    await app.settle();
    return (await dave.get('/api/jobs')).body.jobs[0];
  };

  test('a request whose bot check could not be made is accepted, and no tradie is alerted to it', async () => {
    isUnavailable = true;
    expect((await send('Unchecked')).status).toBe(200);
    isUnavailable = false;
    expect(await newest()).toMatchObject({ title: 'Unchecked', heldFor: 'unchecked' });
    app.pass(60);
    expect(await app.toldTo(dave)).toEqual({ mail: [], sms: [] });
    expect(await sentMail(app, customer)).toEqual([]);
  });

  test('of those a source sends two in ten minutes', async () => {
    isUnavailable = true;
    app.pass(11);
    const statuses = [];
    for (const title of ['One', 'Two', 'Three']) statuses.push((await send(title)).status);
    isUnavailable = false;
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('once it is accepted its customer is notified', async () => {
    app.pass(11);
    const { id } = await newest();
    expect(await sentMail(app, customer)).toEqual([]);
    expect((await dave.put(`/api/jobs/${id}/accept`)).body.job.heldFor).toBe(null);
    await app.settle();
    app.pass(2);
    expect((await sentMail(app, customer)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('accepted'),
    ]);
  });

  test('a registration waits until the bot check is back', async () => {
    isUnavailable = true;
    const answer = await app.post('/api/bot-check/verify', { scope: 'registration', payload: 'token-x' });
    isUnavailable = false;
    expect(answer.status).toBe(503);
  });

  test('a repeat of a held request is the same one, still held', async () => {
    const { businessId } = dave;
    const { answers: _, ...body } = aJobRequest();
    const submission = {
      ...{ businessId, body, key: 'once-and-again', ticket: null, sourceHash: 'x', actor: 'customer' },
      request: {
        ...{ name: 'A', email: customer, phone: '+61491570156', title: 'Held', description: '' },
        ...{ wishedTime: '', isUrgent: false, answers: [] },
        location: { address: 'x', placeId: null, lat: null, lng: null },
      },
      ...{ media: [], correlation: 'test', jobId: app.deps.newId() },
      limits: {
        ...{ channel: 'page' as const, perSourceIn10Minutes: 9, perBusinessInHour: 1, perBusinessInDay: 9 },
        ...{ heldInHour: 9, heldInDay: 9 },
      },
    };
    await submitJobRequest(app.deps, { ...submission, key: 'another', jobId: app.deps.newId() });
    const ids = [1, 2].map(() => submitJobRequest(app.deps, submission));
    expect(new Set(await Promise.all(ids)).size).toBe(1);
    await app.settle();
    expect((await dave.get(`/api/jobs/${submission.jobId}`)).body.job).toMatchObject({
      heldFor: 'unchecked',
    });
  });
});
