import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkPages } from '#api/app.ts';
import type { PageRenderer } from '#api/deps.ts';
import { type CustomerLinkKind, storeLink } from '#api/intake/answer-links.ts';
import { withLinkPages } from '#api/pages/cached-pages.ts';
import { carryOut } from '#api/privacy/carry-out.ts';
import { requestErasure } from '#api/privacy/request-erasure.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { erasing, forgetCustomers } from '#tests/support/scenarios/erasing.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let api: TestApp;
type Owner = SignedIn & { phone: string };
let acme: Owner;
let forgetting: ReturnType<typeof erasing>['deps'];

/** Stands where Astro is: shows what it was given. */
const astro: PageRenderer = async (_request, { status = 200, locals = {} }) =>
  Response.json(locals, { status });
const pages: PageRenderer = (request, init) => withLinkPages(astro, linkPages(api.deps))(request, init);

let phones = 0;
const anOwner = async () => {
  const phone = `+6149157015${(phones += 1)}`;
  const owner = await api.signIn({ phone });
  await owner.put('/api/settings/contact', { showPhone: true });
  return { ...owner, phone };
};

beforeAll(async () => {
  api = await testApp({ pages, processes: true });
  acme = await anOwner();
  forgetting = erasing(api).deps;
});
afterAll(() => api?.close());

const pathOf = { 'not-needed': 'not-needed', privacy: 'your-details' } as const;
const opens = { 'not-needed': 30, privacy: 366 } as const;
const kinds = ['not-needed', 'privacy'] as const;

const aToken = () => randomBytes(32).toString('base64url');

/** A customer's link to a job, as it was sent so many days ago. */
async function aLink(kind: CustomerLinkKind, jobId: string, { daysAgo = 0, owner = acme } = {}) {
  const token = aToken();
  const sentAt = new Date(api.deps.now().getTime() - daysAgo * 86_400_000);
  const target = { kind, jobId, businessId: owner.businessId, accountId: null };
  await storeLink(api.deps.db, token, target, sentAt);
  return { token, path: `/${pathOf[kind]}/${token}` };
}

async function shown(path: string) {
  const { status, body, headers } = await api.get(path);
  const perAnswer = ['date', 'x-request-id'];
  return { status, body, headers: [...headers].filter(([name]) => !perAnswer.includes(name)) };
}

const publishedBy = ({ phone, slug }: Owner) => ({ name: 'Acme Plumbing', phone, slug });

test('the link of a customer who was erased is one that has ended, to the letter, and stores whose it was alone', async () => {
  const [ended, jobId] = [await requestedJob(api, acme), await requestedJob(api, acme)];
  const old = await aLink('not-needed', ended, { daysAgo: 31 });
  const fresh = await aLink('not-needed', jobId, { daysAgo: 5 });
  const used = await aLink('not-needed', jobId, { daysAgo: 6 });
  expect((await api.post(`/api${used.path}`)).body.state).toBe('told');
  await forgetCustomers(forgetting, acme, [jobId]);

  const likeEnded = await shown(old.path);
  expect(likeEnded).toMatchObject({
    status: 410,
    body: { notNeededLink: null, endedLink: publishedBy(acme) },
  });
  for (const { path, token } of [fresh, used]) {
    expect(await shown(path)).toEqual(likeEnded);
    expect((await api.get(`/api${path}`)).status).toBe(404);
    expect((await api.post(`/api${path}`)).status).toBe(404);
    const { rows } = await api.everyRow.query(
      `select *, date_trunc('day', expires_at) = expires_at as "isDay" from state.answer_links
       where token_hash = sha256($1)`,
      [Buffer.from(token)],
    );
    expect(rows).toEqual([
      {
        ...{ token_hash: expect.any(Buffer), kind: 'not-needed', business_id: acme.businessId },
        ...{ job_id: null, account_id: null, opens_until: null },
        ...{ expires_at: expect.any(Date), isDay: true },
      },
    ]);
  }
});

test('who has no link learns nothing: every token that was never sent, and each of another kind, looks the same', async () => {
  const jobId = await requestedJob(api, acme);
  const links = { 'not-needed': await aLink('not-needed', jobId), privacy: await aLink('privacy', jobId) };
  await forgetCustomers(forgetting, acme, [jobId]);
  for (const kind of kinds) {
    const other = links[kind === 'privacy' ? 'not-needed' : 'privacy'].token;
    const never = await shown(`/${pathOf[kind]}/${aToken()}`);
    expect(never.status).toBe(404);
    for (const token of [aToken(), other, jobId, 'short', `${links[kind].token}x`])
      expect([token, await shown(`/${pathOf[kind]}/${token}`)]).toEqual([token, never]);
  }
});

test('the link to the details says to its holder that they are removed, and ends like every other', async () => {
  const jobId = await requestedJob(api, acme);
  const link = await aLink('privacy', jobId);
  const old = await aLink('privacy', jobId, { daysAgo: 367 });
  const { body: before } = await shown(old.path);
  await forgetCustomers(forgetting, acme, [jobId]);
  expect((await shown(link.path)).body.yourDetails).toMatchObject({
    ...{ held: null, removedAt: expect.any(String), phone: acme.phone, slug: acme.slug },
  });
  expect((await shown(old.path)).body).toEqual(before);
  expect(before).toEqual({ yourDetails: null, endedLink: publishedBy(acme) });
});

test.each(kinds)(
  'a %s link of a business that is closed is like one that never was, in every state',
  async (kind) => {
    const owner = await anOwner();
    const ids = [await requestedJob(api, owner), await requestedJob(api, owner)] as const;
    const links = [
      await aLink(kind, ids[0], { owner }),
      await aLink(kind, ids[0], { owner, daysAgo: opens[kind] + 1 }),
      await aLink(kind, ids[1], { owner }),
    ];
    await forgetCustomers(forgetting, owner, [ids[1]]);
    for (const { path } of links) expect((await shown(path)).status).not.toBe(404);
    const { businessId } = owner;
    const about = {
      scope: 'business',
      basis: 'operator',
      businessId,
      ids: [businessId],
      isNow: true,
    } as const;
    const erasureId = crypto.randomUUID();
    await requestErasure(forgetting, { erasureId, ...about });
    await carryOut(forgetting, erasureId);
    const never = await shown(`/${pathOf[kind]}/${aToken()}`);
    for (const { path } of links) expect(await shown(path)).toEqual(never);
  },
);

test.each(kinds)(
  'a %s link of a business that is to close offers its number, and no form that is offline',
  async (kind) => {
    const owner = await anOwner();
    const jobId = await requestedJob(api, owner);
    const links = [
      await aLink(kind, jobId, { owner }),
      await aLink(kind, jobId, { owner, daysAgo: opens[kind] + 1 }),
    ];
    const { status } = await owner.post('/api/settings/closing', { currentPassword: owner.password });
    expect(status).toBe(200);
    for (const { path } of links) {
      const { body } = await shown(path);
      const ways = body.endedLink ?? body.notNeededLink ?? body.yourDetails;
      expect(ways).toMatchObject({ phone: owner.phone, slug: null });
    }
  },
);
