import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { QuestionView } from '#api/businesses/enquiry-form-routes.ts';
import type { Deps, PageRenderer } from '#api/deps.ts';
import { withPublicForms } from '#api/intake/public-form/form-pages.ts';
import { businessDecider } from '#core/business/decider.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { questionsOfTrade, standardQuestions } from '#core/enquiry-form/standard-questions.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { consumerFields, isJobReference } from '#core/values/job-form.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aJobRequest, aTicket, sendForm } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app?.close());

describe('public forms', () => {
  let acme: SignedIn;
  beforeAll(async () => {
    acme = await app.signIn();
  });

  async function jobs(of: SignedIn = acme) {
    await app.settle();
    return (await of.get('/api/jobs?limit=100')).body.jobs;
  }

  test('a form is shown with its questions and nothing of its owner', async () => {
    const { status, body } = await app.get(`/api/public-forms/${acme.slug}`);
    expect(status).toBe(200);
    expect(body.form).toMatchObject({
      slug: acme.slug,
      name: 'Acme Plumbing',
      contact: { phone: null, email: null },
    });
    expect(body.form.questions.map(({ id }: { id: string }) => id)).toEqual(['home-type', 'pets']);
    expect(JSON.stringify(body)).not.toMatch(/owner\d|businessId|accountId/);
    expect((await app.get(`/api/public-forms/${acme.slug.toUpperCase()}`)).body.form.slug).toBe(acme.slug);
  });

  test('no slug that leads nowhere tells more than another', async () => {
    const answers = await Promise.all(
      ['nobody-here', 'x', 'admin', 'a%20b', '..%2f', 'x'.repeat(500)].map((slug) =>
        app.get(`/api/public-forms/${slug}`),
      ),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect({ ...body, ref: '' }).toEqual({ status: 'error', message: 'Not found', ref: '' });
    }
    expect((await sendForm(app, 'nobody-here')).status).toBe(404);
  });

  test('a request becomes a pending job, as it was asked and answered', async () => {
    const answer = await sendForm(app, acme.slug, {
      name: '  Aroha\tTāwhiri ',
      email: 'Aroha.T@Example.com',
      phone: '(0491) 570-156',
      isUrgent: true,
      wishedTime: 'Any morning',
      reachBy: 'sms',
      placeId: 'place-1',
      ...{ lat: -37.77, lng: 144.97 },
      answers: [
        { questionId: 'pets', answer: 'Yes' },
        { questionId: 'home-type', answer: ' ' },
      ],
    });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['reference', 'status']);
    expect(isJobReference(answer.body.reference)).toBe(true);
    const [card] = await jobs();
    await acme.put(`/api/jobs/${card.id}/accept`);
    const { job } = (await acme.get(`/api/jobs/${card.id}`)).body;
    expect(job).toMatchObject({
      name: 'Aroha Tāwhiri',
      email: 'aroha.t@example.com',
      phone: '+61491570156',
      isUrgent: true,
      scheduledAt: null,
      location: { address: '22/140 Lygon St, Brunswick East VIC 3057', placeId: 'place-1', lat: -37.77 },
      form: [{ questionId: 'pets', question: 'Any pets?', field: 'pets', answer: 'Yes' }],
      consumerJobDetails: {
        pets: 'Yes',
        wishedTime: 'Any morning',
        reachBy: 'sms',
        description: 'The hot tap will not close.',
      },
    });
  });

  test('a New Zealand number is taken by an Australian business', async () => {
    expect((await sendForm(app, acme.slug, { phone: '021 123 4567', title: 'From abroad' })).status).toBe(
      200,
    );
    const [card] = await jobs();
    const { job } = (await acme.put(`/api/jobs/${card.id}/accept`)).body;
    expect(job.phone).toBe('+64211234567');
  });

  test('each wrong field has its message, and nothing is appended', async () => {
    const head = await app.deps.store.head();
    const wrong = { name: '', email: 'nobody', phone: '12', address: ' ', title: 'x'.repeat(101) };
    const { status, body, text } = await sendForm(app, acme.slug, wrong);
    expect(status).toBe(422);
    expect(body).toMatchObject({
      status: 'error',
      fields: {
        name: 'Full name is required',
        email: 'Enter a valid email address',
        phone: 'Enter an Australian or New Zealand mobile number',
        address: 'Job address is required',
        title: 'Use at most 100 characters',
      },
    });
    expect(text).not.toContain('xxxx');
    expect(await app.deps.store.head()).toBe(head);
  });

  test.each([
    ['a question of no form', [{ questionId: 'nope', answer: 'x' }], 'answers'],
    ['a question that is switched off', [{ questionId: 'bedrooms', answer: '3' }], 'answers'],
    ['an answer that was not offered', [{ questionId: 'pets', answer: 'Maybe' }], 'answer.pets'],
    ['two answers to one question', Array(2).fill({ questionId: 'pets', answer: 'No' }), 'answers'],
    ['an endless answer', [{ questionId: 'pets', answer: 'x'.repeat(1_001) }], 'answers.0.answer'],
  ])('%s is refused', async (_name, answers, field) => {
    const { status, body } = await sendForm(app, acme.slug, { answers });
    expect(status).toBe(422);
    expect(Object.keys(body.fields)).toEqual([field]);
  });

  test('no customer brings a status, an id or a business of their own', async () => {
    for (const extra of [
      { status: 'Paid' },
      { id: 'x' },
      { businessId: acme.businessId },
      { heldFor: 'rush' },
    ]) {
      expect((await sendForm(app, acme.slug, extra as object)).status).toBe(422);
    }
  });

  test('a script that fills in what people do not see is thanked and forgotten', async () => {
    const head = await app.deps.store.head();
    const { status, body } = await sendForm(app, acme.slug, { website: 'https://spam.example' });
    expect(status).toBe(200);
    expect(isJobReference(body.reference)).toBe(true);
    expect(await app.deps.store.head()).toBe(head);
  });

  test('ten parallel posts with one key are one job with one answer', async () => {
    const before = (await jobs()).length;
    const ticket = await aTicket(app);
    const headers = { 'x-bot-check': ticket, 'idempotency-key': 'a-key-of-this-form' };
    const request = { title: 'Sent ten times' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendForm(app, acme.slug, request, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await sendForm(app, acme.slug, request, headers)).text).toBe(answers[0]?.text);
    expect((await jobs()).length).toBe(before + 1);
    const other = await sendForm(app, acme.slug, { title: 'Something else' }, headers);
    expect(other).toMatchObject({ status: 422, body: { status: 'error' } });
  });

  test('a key is nothing to another business', async () => {
    const other = await app.signIn();
    const headers = { 'idempotency-key': 'one-key-two-forms' };
    const [first, second] = [
      await sendForm(app, acme.slug, {}, headers),
      await sendForm(app, other.slug, { title: 'Another body' }, headers),
    ];
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(await jobs(other)).toHaveLength(1);
  });

  test('without a key two posts are two jobs', async () => {
    const before = (await jobs()).length;
    await sendForm(app, acme.slug, { title: 'Twice' });
    await sendForm(app, acme.slug, { title: 'Twice' });
    expect((await jobs()).length).toBe(before + 2);
  });

  test.each(['short', 'x'.repeat(201), 'with spaces in it'])('the key %j is refused', async (key) => {
    expect((await sendForm(app, acme.slug, {}, { 'idempotency-key': key })).status).toBe(422);
  });

  test('tables of the public form hold no personal data', async () => {
    await sendForm(app, acme.slug, aJobRequest(), { 'idempotency-key': 'marker-key-0001' });
    const { rows } = await app.deps.db.query(
      'select i::text from state.idempotency i union all select n::text from state.intake n',
    );
    expect(JSON.stringify(rows)).not.toMatch(/aroha|491 ?570 ?156|Lygon|marker-key|127\.0\.0\.1/i);
  });
});

describe('form pages', () => {
  let api: TestApp;
  let acme: SignedIn;
  let pages: PageRenderer;
  let rendered: Request[] = [];
  let isUnavailable = false;

  /** Stands where Astro is: shows the form's texts, long enough to be compressed. */
  const astro: PageRenderer = async (request, { locals = {} }) => {
    rendered.push(request);
    const { pathname } = new URL(request.url);
    const publicForm = locals.publicForm as (slug: string) => Promise<PublicForm | null>;
    try {
      const form = await publicForm(pathname.split('/')[2] ?? '');
      if (!form) return new Response('not found', { status: 404 });
      const body = `<!doctype html>${form.name} ${form.intro}${' '.repeat(2_000)}`;
      return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } });
    } catch {
      return new Response('fault', { status: 500 });
    }
  };

  beforeAll(async () => {
    api = app;
    acme = await api.signIn();
  });
  beforeEach(async () => {
    rendered = [];
    isUnavailable = false;
    const query = (...args: Parameters<typeof api.deps.db.query>) =>
      isUnavailable ? Promise.reject(new OutageError('away')) : api.deps.db.query(...args);
    const db = { query } as unknown as Deps['db'];
    pages = withPublicForms(astro, { ...api.deps, db, isStale: () => isUnavailable });
  });

  const get = (path = `/t/${acme.slug}`, headers: Record<string, string> = {}, method = 'GET') =>
    pages(new Request(`http://localhost${path}`, { method, headers }), { clientAddress: '203.0.113.9' });

  async function introduce(intro: string): Promise<void> {
    const { businessId } = acme;
    const command = {
      type: 'IntroduceBusiness',
      at: new Date().toISOString(),
      data: { businessId, intro },
    } as const;
    const cause = { commandId: Bun.randomUUIDv7(), actor: 'system', correlation: 'test' };
    await handleCommand(api.deps.store, businessDecider, streamName('business', businessId), command, cause);
    await api.settle();
  }

  test('a page is rendered once for all visitors, without anything of theirs', async () => {
    const visitor = { cookie: 'marker=1', 'user-agent': 'marker', 'x-forwarded-for': '198.51.100.7' };
    const answers = await Promise.all([
      get(undefined, visitor),
      get(`/t/${acme.slug.toUpperCase()}?utm=marker`),
    ]);
    expect(await answers[0]?.text()).toBe(await answers[1]?.text());
    await get();
    expect(rendered).toHaveLength(1);
    expect([...(rendered[0]?.headers.keys() ?? [])]).toEqual([]);
    expect(rendered[0]?.url).not.toContain('marker');
  });

  test('it is sent compressed, without a body for HEAD, and not at all to who has it', async () => {
    const plain = await get();
    const etag = plain.headers.get('etag') ?? '';
    expect(plain.headers.get('cache-control')).toBe('no-cache');
    const packed = await get(undefined, { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const bytes = new Uint8Array(await packed.arrayBuffer());
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await plain.text());
    expect(await (await get(undefined, {}, 'HEAD')).text()).toBe('');
    expect((await get(undefined, { 'if-none-match': etag })).status).toBe(304);
  });

  test('a change of the business is seen by the next visitor', async () => {
    expect(await (await get()).text()).not.toContain('gas fitting');
    await introduce('Now also gas fitting.');
    const shown = async () => (await get()).text();
    await expect.poll(shown).toContain('Now also gas fitting.');
    expect(rendered).toHaveLength(2);
  });

  test('an address of no business is not cached', async () => {
    for (const _ of [1, 2]) expect((await get('/t/nobody-at-all')).status).toBe(404);
    expect(rendered).toHaveLength(2);
  });

  test('while the database is unavailable a page that was shown is shown, and says that it may be old', async () => {
    const before = await (await get()).text();
    isUnavailable = true;
    const stale = await get();
    expect(stale.headers.get('x-read-model')).toBe('stale');
    expect(await stale.text()).toBe(before);
    const sent = await get(`/t/${acme.slug}/sent?ref=ABC123`);
    expect(sent.status).toBe(200);
  });

  test('while the database is unavailable a page that was never shown says so, and asks again by itself', async () => {
    isUnavailable = true;
    for (const path of [undefined, `/t/${acme.slug}/sent?ref=ABC123`]) {
      const answer = await get(path);
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await answer.text()).toContain('http-equiv="refresh"');
    }
    isUnavailable = false;
    expect((await get()).status).toBe(200);
  });
});

describe('enquiry form', () => {
  let acme: SignedIn;
  let rival: SignedIn;
  beforeAll(async () => {
    acme = await app.signIn({ trades: ['plumbing', 'roofing'] });
    rival = await app.signIn({ trades: ['painting'] });
  });

  const formOf = async (who: SignedIn): Promise<QuestionView[]> =>
    (await who.get('/api/form')).body.form.questions;
  const question = async (id: string, who = acme) => (await formOf(who)).find((one) => one.id === id);
  const tick = (questions: object[], who = acme) => who.put('/api/form', { questions });
  const add = (body: object, headers: Record<string, string> = {}, who = acme) =>
    who.post('/api/form', { trade: 'plumbing', question: 'Is there a dog?', seq: 5, ...body }, headers);
  const asked = async (who = acme) =>
    (await app.get(`/api/public-forms/${who.slug}`)).body.form.questions.map(({ id }: { id: string }) => id);

  describe('a form', () => {
    test('has the general questions, and those of the business’s own trades', async () => {
      const questions = await formOf(acme);
      const ours = [...standardQuestions, ...['plumbing', 'roofing'].flatMap(questionsOfTrade)];
      expect(questions.map(({ id }) => id)).toEqual(ours.map(({ id }) => id));
      expect(questions.find(({ id }) => id === 'title')).toEqual({
        ...{ id: 'title', title: 'What needs fixing?', description: null, kind: 'text', options: [] },
        ...{ enabled: true, necessary: true, builtIn: true, tradie: null, trade: null, seq: 1 },
      });
      expect(questions.find(({ id }) => id === 'plumbing-water')).toEqual({
        ...{ id: 'plumbing-water', title: 'Is water running now?', description: null, kind: 'choice' },
        ...{ options: ['No', 'Yes', 'It drips'], enabled: false, necessary: false, builtIn: false },
        ...{ tradie: null, trade: { id: 'plumbing' }, seq: 1 },
      });
    });

    test('says which trades it is for, in the order they were chosen', async () => {
      const { trades } = (await acme.get('/api/settings/trades')).body;
      expect(trades.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
        ...[
          ['plumbing', 'Plumbing services'],
          ['roofing', 'Roofing services'],
        ],
      ]);
      expect(trades[0].specialties[0]).toEqual({ id: 'plumbing-blocked-drains', name: 'Blocked drains' });
      expect(Object.keys(trades[0])).toEqual(['id', 'name', 'specialties']);
      expect((await app.get(`/api/public-forms/${acme.slug}`)).body.form.trades).toEqual([
        'Plumbing',
        'Roofing',
      ]);
    });
  });

  describe('a tick', () => {
    test('is answered with the whole form, and asks the next customer', async () => {
      const { status, body } = await tick([{ id: 'roofing-leaking', enabled: true }]);
      expect(status).toBe(200);
      expect(body.form.questions).toEqual(await formOf(acme));
      expect((await question('roofing-leaking'))?.enabled).toBe(true);
      expect(await asked()).toEqual(['home-type', 'pets', 'roofing-leaking']);
      await tick([{ id: 'roofing-leaking', enabled: false }]);
      expect(await asked()).toEqual(['home-type', 'pets']);
    });

    test('that says what is so already writes nothing', async () => {
      const head = await app.deps.store.head();
      expect((await tick([{ id: 'pets', enabled: true }])).status).toBe(200);
      expect(await app.deps.store.head()).toBe(head);
    });

    test('cannot take away what is always asked, and then the others of its call do not count either', async () => {
      const refused = await tick([
        { id: 'pets', enabled: false },
        { id: 'title', enabled: false },
      ]);
      expect(refused).toMatchObject({ status: 409, body: { message: 'This question is always asked' } });
      expect((await question('pets'))?.enabled).toBe(true);
    });

    test('on a question that is not there is one on another’s', async () => {
      const own = (await add({ trade: 'painting', question: 'Which colour?' }, {}, rival)).body.question;
      const answers = [
        await tick([{ id: own.id, enabled: false }]),
        await tick([{ id: crypto.randomUUID(), enabled: false }]),
        await tick([{ id: 'painting-where', enabled: true }]),
      ];
      for (const { status, body } of answers) {
        expect([status, body.message]).toEqual([404, 'Not found']);
      }
      expect((await question(own.id, rival))?.enabled).toBe(true);
    });

    test('brings nothing else', async () => {
      for (const extra of [{ necessary: true }, { tradie: rival.businessId }, { title: 'x' }, { seq: 9 }]) {
        expect((await tick([{ id: 'pets', enabled: true, ...extra }])).status).toBe(422);
      }
      const bodies = [{}, { questions: [] }, { questions: Array(61).fill({ id: 'pets', enabled: true }) }];
      for (const body of [...bodies, { questions: [{ id: 'pets', enabled: 'yes' }] }]) {
        expect((await acme.put('/api/form', body)).status).toBe(422);
      }
    });
  });

  describe('a question of one’s own', () => {
    test('is asked at once, after those of its trade', async () => {
      const { status, body } = await add({ question: '  Is there a\ndog? ', seq: 99 });
      expect(status).toBe(200);
      expect(body.question).toEqual({
        ...{ id: expect.any(String), title: 'Is there a dog?', description: null, kind: 'text', options: [] },
        ...{ enabled: true, necessary: false, builtIn: false, tradie: acme.businessId },
        ...{ trade: { id: 'plumbing' }, seq: questionsOfTrade('plumbing').length + 1 },
      });
      expect(await asked()).toContain(body.question.id);
      expect(JSON.stringify(await app.get(`/api/public-forms/${acme.slug}`))).not.toContain(acme.businessId);
    });

    test('is one, however often it is sent with one key', async () => {
      const key = { 'idempotency-key': 'question-key-1' };
      const answers = await Promise.all([1, 2, 3].map(() => add({ question: 'Once?' }, key)));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect((await formOf(acme)).filter(({ title }) => title === 'Once?')).toHaveLength(1);
      expect((await add({ question: 'Twice?' }, key)).status).toBe(409);
      const theirs = await add({ trade: 'painting', question: 'Twice?' }, key, rival);
      expect(theirs.status).toBe(200);
    });

    test.each([
      [{ question: ' ' }, 422, { question: 'Type in your question' }],
      [{ question: 'x'.repeat(101) }, 422, { question: 'Use at most 100 characters' }],
      [{ trade: 'painting' }, 422, { trade: 'Choose one of your trades' }],
      [{ trade: null }, 422, { trade: expect.any(String) }],
      [{ seq: 0 }, 422, { seq: expect.any(String) }],
      [{ question: '\ud800' }, 422, { question: expect.any(String) }],
    ])('is refused as %j', async (body, status, fields) => {
      const refused = await add(body);
      expect([refused.status, refused.body.fields]).toEqual([status, fields]);
    });

    test.each([
      { tradie: 'x' },
      { necessary: true },
      { businessId: 'x' },
      { id: 'pets' },
      { enabled: false },
    ])('brings no %j', async (extra) => expect((await add(extra)).status).toBe(422));
  });

  test('every detail of a consumer job that is asked for reaches the tradie under its name', async () => {
    const own = await app.signIn();
    const details = standardQuestions.filter(({ field }) => field !== null);
    await tick(
      details.map(({ id }) => ({ id, enabled: true })),
      own,
    );
    const answered = details.map(({ id, field, kind, options }) => {
      const answer = kind === 'choice' ? options.at(-1) : kind === 'number' ? '3' : `About ${field}`;
      return { questionId: id, field, answer: answer ?? '' };
    });
    const answers = answered.map(({ questionId, answer }) => ({ questionId, answer }));
    const { status } = await sendForm(app, own.slug, {
      answers,
      description: 'It drips',
      wishedTime: 'Mornings',
    });
    expect(status).toBe(200);
    await app.settle();
    const [card] = (await own.get('/api/jobs')).body.jobs;
    const { job } = (await own.get(`/api/jobs/${card.id}`)).body;
    expect(job.consumerJobDetails).toEqual({
      ...{ description: 'It drips', wishedTime: 'Mornings' },
      ...Object.fromEntries(answered.map(({ field, answer }) => [field, answer])),
    });
    expect(Object.keys(job.consumerJobDetails)).toEqual(expect.arrayContaining([...consumerFields]));
  });

  test('an answer stands under the question as it was asked, whatever becomes of the question', async () => {
    const { question: own } = (await add({ question: 'Gas or electric?' })).body;
    await sendForm(app, acme.slug, {
      answers: [
        { questionId: own.id, answer: 'Gas' },
        { questionId: 'pets', answer: 'No' },
      ],
    });
    await tick([{ id: own.id, enabled: false }]);
    await app.settle();
    const [card] = (await acme.get('/api/jobs')).body.jobs;
    const { job } = (await acme.get(`/api/jobs/${card.id}`)).body;
    expect(job.form).toContainEqual({
      questionId: own.id,
      question: 'Gas or electric?',
      field: null,
      answer: 'Gas',
    });
    expect(job.consumerJobDetails.pets).toBe('No');
  });

  test('no client sees or changes a form without a session', async () => {
    for (const path of ['/api/form', '/api/settings/trades']) expect((await app.get(path)).status).toBe(403);
    expect((await app.put('/api/form', { questions: [{ id: 'pets', enabled: false }] })).status).toBe(403);
    expect((await app.post('/api/form', {})).status).toBe(403);
  });
});
