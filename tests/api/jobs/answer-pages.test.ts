import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { linkPages } from '#api/app.ts';
import type { Deps, PageRenderer } from '#api/deps.ts';
import { type LinkKind, storeLink } from '#api/intake/answer-links.ts';
import { withLinkPages } from '#api/pages/cached-pages.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
let acme: SignedIn;
const acmePhone = '+61491570157';
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
  acme = await app.signIn({ phone: acmePhone });
});
beforeEach(() => {
  isUnavailable = false;
});
afterAll(() => app?.close());

let visitors = 0;
const aVisitor = () => ({ 'x-forwarded-for': `203.0.113.${(visitors += 1)}` });

/** A new job, and a link of this kind to it that was sent so many days ago. */
async function aLink(kind: LinkKind, daysAgo = 0): Promise<{ jobId: string; path: string }> {
  const jobId = await requestedJob(app, acme, {}, aVisitor());
  const token = randomBytes(32).toString('base64url');
  const accountId = kind === 'answer' ? acme.accountId : null;
  const target = { kind, jobId, businessId: acme.businessId, accountId };
  await storeLink(app.deps.db, token, target, new Date(app.deps.now().getTime() - daysAgo * 86_400_000));
  return { jobId, path: `/${kind === 'privacy' ? 'your-details' : kind}/${token}` };
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
  await acme.put(`/api/jobs/${jobId}/accept`);
  expect((await press(path, { answer: 'undo' })).headers.get('location')).toBe(`${path}?undo=late`);
});

test('a link says when another answer was given since', async () => {
  const shown = async (path: string) => (await app.get(path)).body.answerLink;
  const { jobId, path } = await aLink('answer');
  await press(path, { answer: 'decline' });
  expect(await shown(path)).toMatchObject({ answer: 'decline', isReplaced: false });
  await acme.put(`/api/jobs/${jobId}/accept`);
  expect(await shown(path)).toMatchObject({ isReplaced: true, isUndone: false, contact: null });

  const other = await aLink('answer');
  await press(other.path, { answer: 'accept' });
  expect(await shown(other.path)).toMatchObject({ answer: 'accept', isReplaced: false });
  await press(other.path, { answer: 'undo' });
  expect(await shown(other.path)).toMatchObject({ isReplaced: false, isUndone: true });
  await acme.put(`/api/jobs/${other.jobId}/reject`);
  expect(await shown(other.path)).toMatchObject({ isReplaced: true, isUndone: false, contact: null });
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

const customerLinks = [
  { kind: 'not-needed', local: 'notNeededLink', opens: 30 },
  { kind: 'privacy', local: 'yourDetails', opens: 366 },
] as const;

test.each(customerLinks)(
  'a $kind link that has ended leads to the business, and shows nothing of the job',
  async ({ kind, local, opens }) => {
    const business = { name: 'Acme Plumbing', phone: acmePhone, slug: acme.slug };
    await acme.put('/api/settings/contact', { showPhone: true });
    const { jobId, path } = await aLink(kind, opens + 1);
    const { status, body } = await app.get(path);
    expect([status, body]).toEqual([410, { [local]: null, endedLink: business }]);
    expect((await app.get(`/api${path}`)).status).toBe(404);
    await press(path, { ask: 'removal' });
    expect((await app.deps.store.readStream(`job-${jobId}`)).map(({ type }) => type)).toEqual([
      'JobRequested',
    ]);

    const { path: open } = await aLink(kind, opens - 1);
    expect((await app.get(open)).body).toEqual({
      [local]: expect.objectContaining({ phone: business.phone }),
    });
    const { path: forgotten } = await aLink(kind, opens + 367);
    const gone = await app.get(forgotten);
    expect([gone.status, gone.body]).toEqual([404, { [local]: null }]);
  },
);

test('an answer link that has ended is like one that never was', async () => {
  const { path } = await aLink('answer', 4);
  const { status, body } = await app.get(path);
  expect([status, body]).toEqual([404, { answerLink: null }]);
});

test('the customer sees that a request was declined or is done, and is offered the business', async () => {
  const { jobId, path } = await aLink('not-needed');
  await acme.put(`/api/jobs/${jobId}/reject`);
  const declined = (await app.get(path)).body.notNeededLink;
  expect(declined).toMatchObject({ state: 'declined', slug: acme.slug });
  await acme.put(`/api/jobs/${jobId}/accept`);
  expect((await app.get(path)).body.notNeededLink).toMatchObject({ state: 'open' });
  await acme.put(`/api/jobs/${jobId}`, { status: 'Completed' });
  expect((await app.get(path)).body.notNeededLink).toMatchObject({ state: 'done' });
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
