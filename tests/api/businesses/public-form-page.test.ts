import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PageRenderer } from '#api/deps.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { flakyStore } from '#tests/support/servers/outages.ts';

type Submission = { values: Record<string, string>; fields: Record<string, string>; message: string };

const flaky = flakyStore();
let rendered: { path: string; submission: Submission | undefined; asked: readonly string[] }[] = [];
/** Stands where Astro's pages are: shows what it was given. */
const pages: PageRenderer = async (request, { status = 200, locals = {} }) => {
  const submission = locals.submission as Submission | undefined;
  const publicForm = locals.publicForm as (() => Promise<PublicForm>) | undefined;
  const asked = (await publicForm?.())?.questions.map(({ title }) => title) ?? [];
  rendered.push({ path: new URL(request.url).pathname, submission, asked });
  return new Response(`<!doctype html>${request.method}`, {
    status,
    headers: { 'content-type': 'text/html' },
  });
};

let app: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  app = await testApp({ pages, store: flaky.wrap, env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
  acme = await app.signIn();
});
afterEach(() => {
  rendered = [];
  flaky.comeBack();
});
afterAll(() => app.close());

let visitors = 0;
const aVisitor = () => `203.0.113.${(visitors += 1)}`;

const typed = {
  name: 'Aroha Tāwhiri',
  email: 'aroha.t@example.com',
  phone: '0491 570 156',
  address: '22/140 Lygon St, Brunswick East VIC 3057',
  title: 'Leaking shower mixer',
  'answer.pets': 'Yes',
  website: '',
};

async function post(
  fields: Record<string, string>,
  { slug = acme.slug, headers = {} }: { slug?: string; headers?: Record<string, string> } = {},
) {
  return app.send('POST', `/t/${slug}`, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-for': aVisitor(),
      ...headers,
    },
  });
}

async function titles(): Promise<string[]> {
  await app.settle();
  const { jobs } = (await acme.get('/api/jobs?limit=100')).body;
  return jobs.map(({ title }: { title: string }) => title);
}

test('a form sent without JavaScript is a job, and leads to the page that says so', async () => {
  const answer = await post({ ...typed, title: 'Plain post', isUrgent: 'on' });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toMatch(new RegExp(`^/t/${acme.slug}/sent\\?ref=[0-9A-Z]{6}$`));
  await app.settle();
  const { jobs } = (await acme.get('/api/jobs?search=Plain%20post')).body;
  const { job } = (await acme.get(`/api/jobs/${jobs[0].id}`)).body;
  expect(job).toMatchObject({ isUrgent: true, consumerJobDetails: { pets: 'Yes' } });
});

test('sent five times at once it is one job', async () => {
  const fields = { ...typed, title: 'Impatient' };
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(fields)));
  expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
  expect((await titles()).filter((title) => title === 'Impatient')).toHaveLength(1);
});

test('what is wrong comes back beside what was typed', async () => {
  const head = await app.deps.store.head();
  const answer = await post({ ...typed, email: 'nobody', 'answer.pets': 'Maybe' });
  expect(answer.status).toBe(422);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(rendered).toMatchObject([
    {
      path: `/t/${acme.slug}`,
      submission: {
        values: { ...typed, email: 'nobody', 'answer.pets': 'Maybe' },
        fields: { email: 'Enter a valid email address' },
        message: 'Please check what you entered',
        media: [],
      },
    },
  ]);
  await post({ ...typed, 'answer.pets': 'Maybe' });
  expect(rendered[1]?.submission?.fields).toEqual({ 'answer.pets': 'Choose one of the options' });
  expect(await app.deps.store.head()).toBe(head);
});

test('fields that this form never had are left behind', async () => {
  const answer = await post({ ...typed, title: 'Extended', 'answer.gone': 'x', status: 'Paid' });
  expect(answer.status).toBe(303);
});

test('another site cannot send the form', async () => {
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' },
  ];
  for (const headers of foreign) expect((await post(typed, { headers })).status).toBe(400);
  expect(rendered).toEqual([]);
});

test('an address of no business is the site’s own 404', async () => {
  for (const slug of ['nobody-here', 'x', 'a%20b']) {
    expect((await post(typed, { slug })).status).toBe(404);
  }
  expect(rendered).toHaveLength(3);
  expect((await post(typed, { slug: '%00' })).status).toBe(400);
});

test('a script that fills in what people do not see is thanked and forgotten', async () => {
  const head = await app.deps.store.head();
  const answer = await post({ ...typed, website: 'https://spam.example' });
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toMatch(/\/sent\?ref=[0-9A-Z]{6}$/);
  expect(await app.deps.store.head()).toBe(head);
});

test('one source sends three in ten minutes, and then keeps what it typed', async () => {
  const headers = { 'x-forwarded-for': '198.51.100.9' };
  for (let n = 0; n < 3; n += 1) {
    expect((await post({ ...typed, title: `Job ${n}` }, { headers })).status).toBe(303);
  }
  const refused = await post({ ...typed, title: 'One too many' }, { headers });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(rendered.at(-1)?.submission?.values.title).toBe('One too many');
});

test('while the log is unavailable nothing is reported as sent, and the same form sent later is one job', async () => {
  const fields = { ...typed, title: 'In the outage' };
  flaky.becomeUnavailable();
  const answer = await post(fields);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(rendered[0]?.submission?.values).toEqual(fields);
  flaky.comeBack();
  expect((await post(fields)).status).toBe(303);
  expect((await post(fields)).status).toBe(303);
  expect((await titles()).filter((title) => title === 'In the outage')).toHaveLength(1);
});

test('while the database is unavailable a plain page keeps what was typed, as text', async () => {
  const unavailable = Object.create(app.deps.db, {
    query: { value: () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })) },
  });
  const { createApp } = await import('#api/app.ts');
  const body = new URLSearchParams({ ...typed, title: '"><script>alert(1)</script>' }).toString();
  const request = new Request(`http://localhost/t/${acme.slug}`, {
    ...{ method: 'POST', body },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      // As every browser says it: a body that may be of any length is not read while the form is unknown.
      'content-length': String(Buffer.byteLength(body)),
    },
  });
  const response = await createApp({ ...app.deps, db: unavailable }).handle(request);
  expect(response.status).toBe(503);
  const html = await response.text();
  expect(html).toContain('value="Aroha Tāwhiri"');
  expect(html).toContain('&lt;script&gt;');
  expect(html).not.toContain('<script>');
});
