import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkPages } from '#api/app.ts';
import type { Deps, PageRenderer } from '#api/deps.ts';
import { type LinkKind, storeLink } from '#api/intake/answers/links.ts';
import { withLinkPages } from '#api/pages/cached-pages.ts';
import { EventStoreUnavailableError } from '#core/event-store/errors.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { linkIn, type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

describe('answers', () => {
  let app: MessageApp;
  let dave: SignedIn;
  /** The log takes nothing. */
  let isUnavailable = false;
  beforeAll(async () => {
    app = await messageApp({
      store: (store) => ({
        ...store,
        append: (...args) =>
          isUnavailable ? Promise.reject(new EventStoreUnavailableError('away')) : store.append(...args),
      }),
    });
  });
  beforeEach(async () => {
    dave = await app.signIn();
  });
  afterAll(() => app.close());

  /** A job that waits, and the path of the API behind the link in its alert. */
  async function alerted(request = {}) {
    const id = await requestedJob(app, dave, request);
    const [mail] = (await sentMail(app, dave.email)).slice(-1);
    return { id, path: `/api${linkIn(mail as { text: string }).replace('/answer/', '/answers/')}` };
  }

  const eventsOf = async (id: string) =>
    (await app.deps.store.readStream(`job-${id}`)).map(({ type }) => type);

  describe('the link in an alert', () => {
    test('shows what it takes to decide, to any holder, and nothing of the customer', async () => {
      const title = 'Leaking mixer, ring 0491 570 156';
      const { id, path } = await alerted({ title, wishedTime: 'Any morning', isUrgent: true });
      const { status, body, text, headers } = await app.get(path);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        ...{ business: 'Acme Plumbing', timeZone: 'Australia/Melbourne', state: 'open', answer: null },
        job: { suburb: 'Brunswick East VIC', when: 'Any morning', isUrgent: true },
        jobUrl: `/jobs/details/${id}`,
        expiresAt: new Date(app.deps.now().getTime() + 3 * 86_400_000).toISOString(),
      });
      expect(headers.get('cache-control')).toContain('no-store');
      for (const hidden of ['aroha.t@example.com', '491 570 156', '491570156', 'Lygon', 'Aroha'])
        expect(text).not.toContain(hidden);
    });

    test('changes nothing by being read, by whatever method scanners read with', async () => {
      const { id, path } = await alerted();
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'GET']) await app.send(method, path);
      expect(await eventsOf(id)).toEqual(['JobRequested']);
    });

    test.each([
      ['accept', 'To quote', 'JobAccepted'],
      ['decline', 'Rejected', 'JobRejected'],
    ])('lets the tradie %s the job without signing in', async (answer, status, event) => {
      const { id, path } = await alerted();
      const answered = await app.post(path, { answer });
      expect(answered.status).toBe(200);
      expect(answered.body).toMatchObject({ state: 'answered', answer });
      expect(answered.text).not.toContain('aroha.t@example.com');
      expect((await dave.get(`/api/jobs/${id}`)).body.job.status).toBe(status);
      expect(await eventsOf(id)).toEqual(['JobRequested', event]);
      const { history } = (await dave.get(`/api/jobs/${id}/history`)).body;
      expect(history[0].who).toMatchObject({ kind: 'you' });
    });

    test('acts once under 20 presses at once, and both answers never count together', async () => {
      const { id, path } = await alerted();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => app.post(path, { answer: n % 2 ? 'accept' : 'decline' })),
      );
      const given = answers.filter(({ status }) => status === 200).map(({ body }) => body.answer);
      expect(new Set(given).size).toBe(1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
      expect(await eventsOf(id)).toHaveLength(2);
    });

    test('answers the same again when the first answer was lost, and refuses the other one', async () => {
      const { id, path } = await alerted();
      const first = await app.post(path, { answer: 'accept' });
      expect((await app.post(path, { answer: 'accept' })).body).toEqual(first.body);
      const other = await app.post(path, { answer: 'decline' });
      expect([other.status, other.body.message]).toEqual([409, 'You have already answered with this link']);
      expect(await eventsOf(id)).toHaveLength(2);
    });

    test('is as good as before when the log was unavailable', async () => {
      const { id, path } = await alerted();
      isUnavailable = true;
      expect((await app.post(path, { answer: 'accept' })).status).toBe(503);
      isUnavailable = false;
      expect((await app.get(path)).body.state).toBe('open');
      expect((await app.post(path, { answer: 'decline' })).body).toMatchObject({ answer: 'decline' });
      expect(await eventsOf(id)).toEqual(['JobRequested', 'JobRejected']);
    });

    test('is used up also when its answer was undone since', async () => {
      const { id, path } = await alerted();
      await app.post(path, { answer: 'accept' });
      const { job } = (await dave.get(`/api/jobs/${id}`)).body;
      expect((await dave.post(`/api/jobs/${id}/undo`, { revision: job.revision })).status).toBe(200);
      expect((await app.post(path, { answer: 'accept' })).body.state).toBe('answered');
      expect((await dave.get(`/api/jobs/${id}`)).body.job.status).toBe('Pending');
    });

    test('shows whom to ring for an hour after it accepted the job, and nobody else', async () => {
      const { path } = await alerted();
      const accepted = await app.post(path, { answer: 'accept' });
      expect(accepted.body.contact).toEqual({
        ...{ name: 'Aroha Tāwhiri', phone: '+61491570156', address: expect.stringContaining('Lygon') },
      });
      app.pass(59);
      expect((await app.get(path)).body.contact).not.toBeNull();
      app.pass(1);
      expect((await app.get(path)).body.contact).toBeNull();
      const declined = await alerted();
      expect((await app.post(declined.path, { answer: 'decline' })).body.contact).toBeNull();
    });

    test('takes its answer back within a minute, once, and then shows nothing of the customer', async () => {
      const { id, path } = await alerted();
      expect((await app.post(path, { answer: 'undo' })).body.message).toBe('There is nothing to undo');
      expect((await app.post(path, { answer: 'accept' })).body.undoUntil).not.toBeNull();
      const undone = await app.post(path, { answer: 'undo' });
      expect(undone.body).toMatchObject({
        state: 'answered',
        isUndone: true,
        contact: null,
        undoUntil: null,
      });
      expect((await dave.get(`/api/jobs/${id}`)).body.job.status).toBe('Pending');
      expect((await app.post(path, { answer: 'undo' })).body).toEqual(undone.body);
      expect(await eventsOf(id)).toHaveLength(3);
    });

    test('takes nothing back after a minute', async () => {
      const { id, path } = await alerted();
      await app.post(path, { answer: 'decline' });
      app.pass(2);
      expect((await app.get(path)).body).toMatchObject({ undoUntil: null, isUndone: false });
      const late = await app.post(path, { answer: 'undo' });
      expect([late.status, late.body.message]).toEqual([409, 'It is too late to undo this']);
      expect((await dave.get(`/api/jobs/${id}`)).body.job.status).toBe('Rejected');
    });

    test('does not overrule what was answered elsewhere', async () => {
      const { id, path } = await alerted();
      await dave.put(`/api/jobs/${id}/reject`);
      expect((await app.get(path)).body).toMatchObject({ state: 'closed', closedBecause: 'answered' });
      const late = await app.post(path, { answer: 'accept' });
      expect([late.status, late.body.message]).toEqual([409, 'This job was answered already']);
      expect(await eventsOf(id)).toEqual(['JobRequested', 'JobRejected']);
    });

    test('says when the job is not needed any more', async () => {
      const { path } = await alerted({ email: 'off@example.com' });
      const [receipt] = await sentMail(app, 'off@example.com');
      await app.post(`/api${linkIn(receipt as { text: string })}`);
      expect((await app.get(path)).body).toMatchObject({ state: 'closed', closedBecause: 'not-needed' });
      expect((await app.post(path, { answer: 'accept' })).body.message).toBe(
        'The customer no longer needs this job',
      );
    });

    test('answers its own job and no other', async () => {
      const other = await alerted();
      const { id, path } = await alerted();
      await app.post(path, { answer: 'accept' });
      expect(await eventsOf(id)).toContain('JobAccepted');
      expect(await eventsOf(other.id)).toEqual(['JobRequested']);
    });

    test('is nothing after three days, as if it had never been', async () => {
      const { id, path } = await alerted();
      app.pass(3 * 24 * 60 - 1);
      expect((await app.get(path)).status).toBe(200);
      app.pass(1);
      const answers = [await app.get(path), await app.post(path, { answer: 'accept' })];
      const unknown = await app.get(`/api/answers/${'A'.repeat(43)}`);
      expect(unknown.status).toBe(404);
      for (const { status, body } of answers)
        expect({ status, body: { ...body, ref: '' } }).toEqual({
          status: 404,
          body: { ...unknown.body, ref: '' },
        });
      expect(await eventsOf(id)).toEqual(['JobRequested']);
    });
  });

  test.each(['', 'x', '..', `${'A'.repeat(43)}=`, "'--", '%00', 'A'.repeat(4000)])(
    'a token %j opens nothing',
    async (token) => {
      for (const route of ['answers', 'not-needed']) {
        expect([400, 404, 414]).toContain((await app.get(`/api/${route}/${token}`)).status);
        const answer = await app.post(`/api/${route}/${token}`, { answer: 'accept' });
        expect([400, 404, 414, 422]).toContain(answer.status);
      }
    },
  );

  test('a link of one kind is refused by the routes of the other', async () => {
    const { path } = await alerted();
    const token = path.split('/').at(-1);
    expect((await app.get(`/api/not-needed/${token}`)).status).toBe(404);
    expect((await app.post(`/api/not-needed/${token}`)).status).toBe(404);
  });

  test('what is no answer is refused, and the link stays good', async () => {
    const { id, path } = await alerted();
    for (const body of [
      {},
      { answer: 'maybe' },
      { answer: 'accept', jobId: 'x' },
      { answer: ['accept'] },
      null,
    ])
      expect((await app.post(path, body)).status).toBe(422);
    expect(await eventsOf(id)).toEqual(['JobRequested']);
    expect((await app.post(path, { answer: 'accept' })).status).toBe(200);
  });
});

describe('answer pages', () => {
  let app: TestApp;
  let acme: SignedIn;
  let isUnavailable = false;

  /** Stands where Astro is: shows what it was given. */
  const astro: PageRenderer = async (_request, { status = 200, locals = {} }) =>
    Response.json(locals, { status });
  const pages: PageRenderer = (request, init) => {
    const query = (...args: Parameters<typeof app.deps.db.query>) =>
      isUnavailable ? Promise.reject(new OutageError('away')) : app.deps.db.query(...args);
    const db = { query } as unknown as Deps['db'];
    return withLinkPages(astro, linkPages({ ...app.deps, db }))(request, init);
  };

  beforeAll(async () => {
    app = await testApp({ pages, env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
    acme = await app.signIn();
  });
  beforeEach(() => {
    isUnavailable = false;
  });
  afterAll(() => app?.close());

  let visitors = 0;
  const aVisitor = () => ({ 'x-forwarded-for': `203.0.113.${(visitors += 1)}` });

  /** A new job, and a link of this kind to it. */
  async function aLink(kind: LinkKind): Promise<{ jobId: string; path: string }> {
    const jobId = await requestedJob(app, acme, {}, aVisitor());
    const token = randomBytes(32).toString('base64url');
    const accountId = kind === 'answer' ? acme.accountId : null;
    const target = { kind, jobId, businessId: acme.businessId, accountId };
    await storeLink(app.deps.db, token, target, app.deps.now());
    return { jobId, path: `/${kind}/${token}` };
  }

  function press(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
    return app.send('POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...aVisitor(),
        ...headers,
      },
    });
  }

  const statusOf = async (jobId: string) => (await acme.get(`/api/jobs/${jobId}`)).body.job.status;

  test('the page shows the job and changes nothing, a press answers it and leads back', async () => {
    const { jobId, path } = await aLink('answer');
    const shown = await app.get(path);
    expect(shown.body.answerLink).toMatchObject({ state: 'open', job: { suburb: 'Brunswick East VIC' } });
    expect(shown.text).not.toMatch(/491 ?570 ?156/);
    expect(await statusOf(jobId)).toBe('Pending');

    const pressed = await press(path, { answer: 'accept' });
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, path]);
    expect(await statusOf(jobId)).toBe('To quote');
    expect((await app.get(path)).body.answerLink).toMatchObject({ state: 'answered', answer: 'accept' });
  });

  test('what cannot be done any more leads back to the page, which says why', async () => {
    const { jobId, path } = await aLink('answer');
    await press(path, { answer: 'decline' });
    const other = await press(path, { answer: 'accept' });
    expect([other.status, other.headers.get('location')]).toEqual([303, path]);
    expect(await statusOf(jobId)).toBe('Rejected');
  });

  test('the customer says by a press that the job is not needed', async () => {
    const { path } = await aLink('not-needed');
    expect((await app.get(path)).body.notNeededLink).toMatchObject({ state: 'open' });
    expect((await press(path)).status).toBe(303);
    expect((await app.get(path)).body.notNeededLink).toMatchObject({ state: 'told' });
  });

  test('a link that opens nothing has a page of its own, with 404', async () => {
    const unknown = `/answer/${randomBytes(32).toString('base64url')}`;
    for (const path of [unknown, '/answer/short', '/not-needed/short']) {
      const { status, body } = await app.get(path);
      expect([status, Object.values(body)]).toEqual([404, [null]]);
    }
    expect((await press(unknown, { answer: 'accept' })).status).toBe(303);
  });

  test('a press from another site, or for something else, does nothing', async () => {
    const { jobId, path } = await aLink('answer');
    expect((await press(path, { answer: 'accept' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
    expect((await press(path, { answer: 'perhaps' })).status).toBe(400);
    expect((await press(path)).status).toBe(400);
    expect(await statusOf(jobId)).toBe('Pending');
  });

  test('too many presses are answered when to come back, on the page', async () => {
    const { path } = await aLink('answer');
    const sameVisitor = { 'x-forwarded-for': '198.51.100.7' };
    const presses = Array.from({ length: 61 }, () => press(path, { answer: 'accept' }, sameVisitor));
    const refused = (await Promise.all(presses)).filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused[0]?.body.notice).toContain('Too many');
  });

  test('while the database is unavailable the page comes by itself later', async () => {
    const { path } = await aLink('answer');
    isUnavailable = true;
    const { status, headers } = await app.get(path);
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });
});
