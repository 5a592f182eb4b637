import { afterAll, beforeAll, expect, test } from 'vitest';
import { photoLimits } from '#core/job/photos/photo-stages.ts';
import { introLength } from '#core/values/business.ts';
import {
  answerLimits,
  customQuestionLength,
  jobNotesLength,
  jobRequestLengths,
} from '#core/values/job-form.ts';
import { chatLimits } from '#core/values/product.ts';
import { disputeLimits } from '#core/values/stored-details.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { png } from '#tests/support/scenarios/files.ts';
import {
  aJobRequest,
  dateIn,
  postForm,
  requestedJob,
  sendForm,
} from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
let job: string;
let photo: string;
let questionId: string;
beforeAll(async () => {
  app = await testApp({ pages: async (_request, { status = 200 }) => new Response('the form', { status }) });
  acme = await app.signIn();
  const added = await acme.post('/api/form', { trade: 'plumbing', question: 'Where is the tap?', seq: 1 });
  questionId = added.body.question.id;
  const jobId = await requestedJob(app, acme);
  await acme.put(`/api/jobs/${jobId}/accept`);
  job = `/api/jobs/${jobId}`;
  photo = `${job}/photos/${crypto.randomUUID().replaceAll('-', '')}`;
  await acme.send('PUT', `${photo}?stage=before`, { body: png(8, 8) });
});
afterAll(() => app?.close());

const ask = async (body: object) => {
  const { token } = (await acme.get('/api/authenticate/chatbot')).body;
  return app.as({ authorization: `Bearer ${token}` }).post('/api/chatbot/messages', body);
};

/** Each route that takes a text with a limit; those of registration and of the customer's link share their rules. */
const limits: readonly (readonly [string, number, (text: string) => Promise<Answer>])[] = [
  ['an introduction', introLength, (intro) => acme.put('/api/settings/intro', { intro })],
  ['an About', introLength, (intro) => acme.put('/api/settings/profile', { intro })],
  [
    'a custom question',
    customQuestionLength,
    (question) => acme.post('/api/form', { trade: 'plumbing', question, seq: 1 }),
  ],
  ['notes', jobNotesLength, (notes) => acme.put(job, { notes })],
  ['a caption', photoLimits.caption, (caption) => acme.post(photo, { stage: 'during', caption })],
  [
    'a caption beside the bytes',
    photoLimits.caption,
    (caption) =>
      acme.send('PUT', `${photo}?stage=before`, {
        body: png(8, 8),
        headers: { 'x-caption': encodeURIComponent(caption) },
      }),
  ],
  ['a dispute', disputeLimits.reason, (reason) => acme.put(`${job}/dispute`, { until: dateIn(60), reason })],
  ['a message to the assistant', chatLimits.message, (message) => ask({ message })],
  [
    'a message before',
    chatLimits.message,
    (question) => ask({ message: 'hi', earlier: [{ question, answer: '', jobs: [] }] }),
  ],
  ['a search', 100, (search) => acme.get(`/api/jobs?search=${encodeURIComponent(search)}`)],
  ['a request', jobRequestLengths.title, (title) => sendForm(app, acme.slug, { title })],
  [
    'an answer',
    answerLimits.length,
    (answer) => sendForm(app, acme.slug, { answers: [{ questionId, answer }] }),
  ],
];

test.each(limits)('%s may have %i characters, an emoji being one', async (_name, most, send) => {
  for (const one of ['x', '👷']) {
    expect((await send(one.repeat(most))).status, one).toBe(200);
    expect((await send(one.repeat(most + 1))).status, one).toBe(422);
  }
});

test('a form without script counts a line break once, with files and without', async () => {
  const description = 'x\r\n'.repeat(jobRequestLengths.description / 2);
  expect((await postForm(app, acme.slug, { description })).status).toBe(303);

  const body = new FormData();
  const { name, email, phone, address } = aJobRequest();
  for (const [field, value] of Object.entries({ name, email, phone, address, title: 'Two', description }))
    body.append(field, value);
  const headers = { 'sec-fetch-site': 'same-origin' };
  expect((await app.send('POST', `/t/${acme.slug}`, { body, headers })).status).toBe(303);
  await app.settle();
  const { jobs } = (await acme.get('/api/jobs')).body;
  const { job } = (await acme.get(`/api/jobs/${jobs[0].id}`)).body;
  expect(job.consumerJobDetails.description).toBe('x\n'.repeat(1_000).trim());
});
