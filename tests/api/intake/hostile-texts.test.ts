import { afterAll, beforeAll, expect, test } from 'vitest';
import { withoutContact } from '#core/values/contact-in-text.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { xssPayloads } from '#tests/support/scenarios/files.ts';
import { sendForm } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp();
  acme = await app.signIn({ trades: ['plumbing'] });
});
afterAll(() => app?.close());

test('there are forty of them, each of its own kind', () => {
  expect(new Set(xssPayloads).size).toBe(40);
});

test('what looks like script comes through every field of a form as the text it is', async () => {
  const { question } = (
    await acme.post('/api/form', { trade: 'plumbing', question: 'Anything else?', seq: 1 })
  ).body;
  for (const payload of xssPayloads) {
    const text = payload.replace('\t', ' ');
    const answers = [{ questionId: question.id, answer: payload }];
    const sent = { name: text, title: text, address: text, description: payload, wishedTime: text, answers };
    const { status, body } = await sendForm(app, acme.slug, sent);
    expect([status, body.status], payload).toEqual([200, 'ok']);
  }
  await app.settle();
  const { jobs } = (await acme.get('/api/jobs?limit=100')).body;
  expect(jobs).toHaveLength(40);
  const texts = xssPayloads.map((payload) => payload.replace('\t', ' ')).toReversed();
  expect(jobs.map(({ title }: { title: string }) => title)).toEqual(
    texts.map((text) => withoutContact(text)),
  );
  for (const [index, { id }] of jobs.entries()) {
    await acme.put(`/api/jobs/${id}/accept`);
    await app.settle();
    const { headers, body } = await acme.get(`/api/jobs/${id}`);
    const payload = xssPayloads.at(-1 - index);
    expect(body.job).toMatchObject({ name: texts[index], location: { address: texts[index] } });
    expect(body.job.consumerJobDetails.description).toBe(payload);
    expect(body.job.form).toMatchObject([{ question: 'Anything else?', answer: payload }]);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
}, 60_000);

test('a question of one’s own may look like script, and is asked as the text it is', async () => {
  const other = await app.signIn({ trades: ['plumbing'] });
  for (const payload of xssPayloads.slice(0, 30)) {
    const { status, body } = await other.post('/api/form', { trade: 'plumbing', question: payload, seq: 1 });
    expect([status, body.question?.title], payload).toEqual([200, payload.replace('\t', ' ')]);
  }
  const { questions } = (await app.get(`/api/public-forms/${other.slug}`)).body.form;
  expect(questions.slice(2).map(({ title }: { title: string }) => title)).toEqual(
    xssPayloads.slice(0, 30).map((payload) => payload.replace('\t', ' ')),
  );
});
