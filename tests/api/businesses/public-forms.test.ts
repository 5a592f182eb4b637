import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJobReference } from '#core/values/job-form.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aJobRequest, aTicket, sendForm } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn();
});
afterAll(() => app?.close());

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
    expect({ ...body, ref: '' }).toEqual({
      status: 'error',
      code: 'not-found',
      message: 'Not found',
      ref: '',
    });
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
    unsentFiles: 1,
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
      unsentFiles: 1,
      description: 'The hot tap will not close.',
    },
  });
});

test('a New Zealand number is taken by an Australian business', async () => {
  expect((await sendForm(app, acme.slug, { phone: '+64 21 123 4567', title: 'From abroad' })).status).toBe(
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

test.each([
  [{ lat: -37.77 }, 'lng'],
  [{ lng: 144.96, lat: null }, 'lat'],
])('a place with %j alone is refused', async (half, field) => {
  const answer = await sendForm(app, acme.slug, half);
  const fields = { [field]: 'Send lat and lng together, or neither' };
  expect(answer).toMatchObject({ status: 422, body: { fields } });
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
