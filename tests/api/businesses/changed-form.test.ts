import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PageRenderer } from '#api/deps.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { pdf } from '#tests/support/scenarios/files.ts';
import { postForm } from '#tests/support/scenarios/job-requests.ts';
import { flakyStore } from '#tests/support/servers/outages.ts';

type Submission = {
  values: Record<string, string>;
  fields: Record<string, string>;
  message: string;
  media: { name: string }[];
};

const flaky = flakyStore();
let shown: { submission: Submission; asked: string[] } | undefined;
/** Stands where Astro's pages are: remembers what it was given to show. */
const pages: PageRenderer = async (_request, { status = 200, locals = {} }) => {
  const { questions } = await (locals.publicForm as () => Promise<PublicForm>)();
  shown = { submission: locals.submission as Submission, asked: questions.map(({ title }) => title) };
  return new Response('the form', { status });
};

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp({ pages, store: flaky.wrap });
  acme = await app.signIn({ trades: ['plumbing'] });
});
afterEach(() => {
  shown = undefined;
  flaky.comeBack();
});
afterAll(() => app?.close());

/** A question of the business's own. */
async function ask(question: string): Promise<string> {
  const { body } = await acme.post('/api/form', { trade: 'plumbing', question, seq: 9 });
  return body.question.id;
}
const remove = (id: string) => acme.send('DELETE', `/api/form/questions/${id}`);
const tick = (id: string, enabled: boolean) => acme.put('/api/form', { questions: [{ id, enabled }] });

async function newestJob() {
  await app.settle();
  const [card] = (await acme.get('/api/jobs?limit=1')).body.jobs;
  return (await acme.get(`/api/jobs/${card.id}`)).body.job;
}

const changed = 'The form has changed while you filled it in. Please check it and send it again.';
const gone = (question: string) => `“${question}” is not asked any more: your answer stands here now.`;

describe('a form without a script that was changed while it was open', () => {
  test.each([
    ['removed', remove],
    ['unticked', (id: string) => tick(id, false)],
    ['left with its trade', () => acme.put('/api/settings/trades', { trades: ['painting'] })],
  ])('comes back with the answer to a question that was %s in its description', async (_what, change) => {
    const id = await ask('Is there a dog?');
    expect((await change(id)).status).toBe(200);
    const title = `Changed ${crypto.randomUUID()}`;
    const typed = { title, [`answer.${id}`]: 'Yes, Rex', 'answer.pets': 'Yes', description: 'It drips.' };
    const { status, headers } = await postForm(app, acme.slug, typed);
    expect([status, headers.get('cache-control')]).toEqual([422, 'no-store']);
    const description = 'It drips.\nIs there a dog? Yes, Rex';
    expect(shown?.submission).toMatchObject({
      ...{ values: { ...typed, description }, message: changed, media: [] },
      fields: { description: gone('Is there a dog?') },
    });
    expect(shown?.asked).not.toContain('Is there a dog?');
    expect((await postForm(app, acme.slug, { title, 'answer.pets': 'Yes', description })).status).toBe(303);
    expect(await newestJob()).toMatchObject({ title, consumerJobDetails: { description, pets: 'Yes' } });
    await acme.put('/api/settings/trades', { trades: ['plumbing'] });
  });

  test('shows the other words of a question, and what was answered to the former ones is no answer to them', async () => {
    const id = await ask('Is there a dgo?');
    const { form } = (await acme.put(`/api/form/questions/${id}`, { question: 'May we come in?' })).body;
    const newId = form.questions.find(({ title }: { title: string }) => title === 'May we come in?').id;
    const { status } = await postForm(app, acme.slug, { [`answer.${id}`]: 'Yes' });
    expect([status, shown?.submission.fields]).toEqual([
      422,
      { description: gone('Is there a dgo?'), [`answer.${newId}`]: 'This question has other words now' },
    ]);
    expect(shown?.submission.values.description).toBe('Is there a dgo? Yes');
    expect(shown?.asked).toContain('May we come in?');
    await remove(newId);
  });

  test('shows what else is wrong beside it, and has its files', async () => {
    const id = await ask('Which floor?');
    await remove(id);
    const form = new FormData();
    const typed = {
      email: 'nobody',
      title: 'Tap',
      [`answer.${id}`]: 'Third',
      description: 'x'.repeat(1_999),
    };
    for (const [name, value] of Object.entries(typed)) form.append(name, value);
    form.append('media', new File([pdf], 'plan.pdf'));
    const { status } = await app.send('POST', `/t/${acme.slug}`, {
      ...{ body: form, headers: { 'sec-fetch-site': 'same-origin' } },
    });
    expect(status).toBe(422);
    expect(shown?.submission).toMatchObject({
      ...{ message: changed, values: { description: typed.description }, media: [{ name: 'plan.pdf' }] },
      fields: {
        email: 'Enter a valid email address',
        description: '“Which floor?” is not asked any more, and there is no room here for your answer: Third',
      },
    });
  });

  test('goes in where nothing was answered to what is gone', async () => {
    const id = await ask('Any stairs?');
    await remove(id);
    expect((await postForm(app, acme.slug, { [`answer.${id}`]: ' ' })).status).toBe(303);
  });

  test('is the plain page with all that was typed while the log cannot say what was asked', async () => {
    const id = await ask('Which colour?');
    await remove(id);
    flaky.becomeUnavailable();
    const { status, text } = await postForm(app, acme.slug, { [`answer.${id}`]: 'Blue <b>' });
    expect(status).toBe(503);
    expect(text).toContain(`name="answer.${id}" value="Blue &lt;b&gt;"`);
  });
});
