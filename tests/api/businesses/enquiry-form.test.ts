import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { QuestionView } from '#api/businesses/change-enquiry-form.ts';
import { questionsOfTrade, standardQuestions } from '#core/enquiry-form/standard-questions.ts';
import { consumerFields } from '#core/values/job-form.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { sendForm } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
let rival: SignedIn;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn({ trades: ['plumbing', 'roofing'] });
  rival = await app.signIn({ trades: ['painting'] });
});
afterAll(() => app?.close());

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

  test.each([{ tradie: 'x' }, { necessary: true }, { businessId: 'x' }, { id: 'pets' }, { enabled: false }])(
    'brings no %j',
    async (extra) => expect((await add(extra)).status).toBe(422),
  );
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

describe('a question of one’s own that was added', () => {
  test('is changed and removed by its business alone, and an answer stays with the words that were asked', async () => {
    const { id } = (await add({ question: 'Is there a dgo?' })).body.question;
    const sent = await sendForm(app, acme.slug, { answers: [{ questionId: id, answer: 'Yes, Rex' }] });
    expect(sent.status).toBe(200);
    const url = `/api/form/questions/${id}`;
    for (const refused of [
      await rival.put(url, { question: 'Whose is it?' }),
      await rival.send('DELETE', url),
    ])
      expect(refused.status).toBe(404);

    const key = { 'idempotency-key': crypto.randomUUID() };
    const changed = await acme.put(url, { question: 'Is there a dog?' }, key);
    expect(changed.status).toBe(200);
    const now = (await formOf(acme)).find(({ title }) => title === 'Is there a dog?');
    expect(changed.body.form.questions).toEqual(await formOf(acme));
    expect(now).toMatchObject({ tradie: acme.businessId, trade: { id: 'plumbing' }, enabled: true });
    expect(now?.id).not.toBe(id);
    expect(await question(id)).toBeUndefined();
    // The answer of the first put was lost.
    expect((await acme.put(url, { question: 'Is there a dog?' }, key)).status).toBe(200);
    expect((await acme.put(`/api/form/questions/${now?.id}`, { question: ' ' })).body.fields).toEqual({
      question: 'Type in your question',
    });
    const late = await sendForm(app, acme.slug, { answers: [{ questionId: id, answer: 'No' }] });
    expect(late).toMatchObject({
      status: 422,
      body: { message: 'The form has changed, please load it again' },
    });

    const gone = await acme.send('DELETE', `/api/form/questions/${now?.id}`);
    expect(gone.status).toBe(200);
    expect(await asked()).not.toContain(now?.id);
    expect((await acme.send('DELETE', `/api/form/questions/${now?.id}`)).status).toBe(200);
    for (const ours of ['pets', 'title'])
      expect((await acme.send('DELETE', `/api/form/questions/${ours}`)).status).toBe(409);
    await app.settle();
    const [card] = (await acme.get('/api/jobs')).body.jobs;
    const { job } = (await acme.get(`/api/jobs/${card.id}`)).body;
    const words = { question: 'Is there a dgo?', answer: 'Yes, Rex' };
    expect(job.form).toContainEqual({ questionId: id, field: null, ...words });
  });

  test('is another one than the words that one key gave a question, and than those it gave another', async () => {
    const key = { 'idempotency-key': crypto.randomUUID() };
    const ids = [];
    for (const words of ['Which floor?', 'Which wall?'])
      ids.push((await add({ question: words })).body.question.id);
    const added = (await add({ question: 'Any stairs?' }, key)).body.question;
    for (const id of ids) {
      const put = () => acme.put(`/api/form/questions/${id}`, { question: 'Any stairs?' }, key);
      expect((await put()).status).toBe(200);
      expect((await put()).status).toBe(200);
      expect(await question(id)).toBeUndefined();
    }
    expect(await question(added.id)).toMatchObject({ title: 'Any stairs?' });
    const same = (await formOf(acme)).filter(({ title }) => title === 'Any stairs?');
    expect(new Set(same.map(({ id }) => id)).size).toBe(3);
  });
});
