import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { carryOut, findRemains } from '#api/privacy/carry-out.ts';
import { carryOutDue } from '#api/privacy/due-erasures.ts';
import { listErasures } from '#api/privacy/erasures.ts';
import { applyLedger, previewErasure, verifyErasure } from '#api/privacy/remains.ts';
import { requestErasure } from '#api/privacy/request-erasure.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { deliver, sentMail } from '#tests/support/app/messages.ts';
import { copyOut, erasing, findMarkers, type Markers } from '#tests/support/scenarios/erasing.ts';
import { dataUrl, png } from '#tests/support/scenarios/files.ts';
import { aTicket, requestedJob } from '#tests/support/scenarios/job-requests.ts';

const day = 86_400_000;
const closing = '/api/settings/closing';

let api: TestApp;
let rival: SignedIn;
let ahead = 0;
let forgetting: ReturnType<typeof erasing>['deps'];
beforeAll(async () => {
  api = await testApp({ processes: true, now: () => new Date(Date.now() + ahead) });
  rival = await api.signIn();
  await requestedJob(api, rival, { name: 'Moana Rangi' });
  forgetting = erasing(api).deps;
});
afterAll(() => api?.close());

/** One text for each thing that is known of a tradie and their business: no two alike. */
const markers = {
  'first name': 'Zebediah',
  'last name': 'Quillfeather',
  email: 'zebediah@quillfeather.example',
  'trading name': 'Quillfeather Gasfitting',
  'about us': 'Third generation of flame tamers',
  question: 'Is there a dragon on the premises?',
  customer: 'Wilhelmina Qurazy',
  title: 'Xylophonic boiler',
  file: 'crankshaft-photograph',
} as const satisfies Markers;

/** A business with everything: logo, words, a question of its own, a job with a file, messages that went out. */
async function aWholeBusiness(): Promise<SignedIn & { jobId: string; logo: string }> {
  const { 'first name': firstName, 'last name': lastName, email, 'trading name': tradingName } = markers;
  const owner = await api.signIn({ plan: 'plus', firstName, lastName, email, tradingName });
  await owner.put('/api/settings/intro', { intro: markers['about us'] });
  const { body: branding } = await owner.put('/api/settings/branding', { logo: dataUrl(png(8, 8)) });
  const added = await owner.post('/api/form', { question: markers.question, trade: 'plumbing', seq: 1 });
  expect(added.status).toBe(200);
  const ticket = await aTicket(api, 'public-form', owner.slug);
  const { body } = await api.send('POST', `/api/public-forms/${owner.slug}/media?name=${markers.file}.png`, {
    body: new Uint8Array(png(60, 40)),
    headers: { 'x-bot-check': ticket },
  });
  const jobId = await requestedJob(
    api,
    owner,
    { name: markers.customer, title: markers.title, media: [body.media.id] },
    { 'x-bot-check': ticket },
  );
  await deliver(api);
  await owner.put(`/api/jobs/${jobId}/accept`);
  await owner.put('/api/authenticate/email', {
    email: 'zeb@elsewhere.example',
    currentPassword: owner.password,
  });
  await api.settle();
  return { ...owner, jobId, logo: branding.details.logo };
}

const close = (owner: SignedIn, currentPassword = owner.password) => owner.post(closing, { currentPassword });
const page = (slug: string) => api.get(`/api/public-forms/${slug}`);
const logIn = ({ email, password }: SignedIn) => api.post('/api/authenticate/login', { email, password });

/** Every row of a business and its account, in the state and the read models, as text. */
async function rowsOf({ businessId, accountId }: SignedIn): Promise<string[]> {
  const tables = await copyOut(api.everyRow);
  return Object.entries(tables).flatMap(([table, text]) =>
    text
      .split('\n')
      .filter((line) => line.includes(businessId) || line.includes(accountId))
      .map((line) => `${table}: ${line}`),
  );
}

describe('a business that its owner closes', () => {
  test('asks for the password, is offline at once, and is notified when it goes', async () => {
    const owner = await api.signIn();
    expect((await owner.get(closing)).body.closing).toEqual({ closesAt: null, jobs: 0 });
    const wrong = await close(owner, 'not my password');
    expect([wrong.status, wrong.body.fields]).toEqual([
      422,
      { currentPassword: 'This is not your current password' },
    ]);
    expect((await page(owner.slug)).status).toBe(200);

    const { status, body } = await close(owner);
    expect(status).toBe(200);
    const left = Date.parse(body.closing.closesAt) - Date.now();
    expect(Math.round(left / day)).toBe(30);
    expect((await owner.get('/api/authenticate')).body.user.closesAt).toBe(body.closing.closesAt);
    expect((await page(owner.slug)).status).toBe(404);
    // A repeat changes nothing, and signing in goes on.
    expect((await close(owner)).body.closing).toEqual(body.closing);
    expect((await logIn(owner)).status).toBe(200);
    const moved = await owner.put('/api/settings/branding', { slug: `${owner.slug}-2` });
    expect(moved).toMatchObject({
      status: 409,
      body: { message: 'This business is to be closed: keep it open first' },
    });
    await deliver(api);
    const mails = (await sentMail(api, owner.email)).filter(({ subject }) => subject.includes('closes on'));
    expect(mails).toHaveLength(1);
  });

  test('stays open by one press, and its page is back', async () => {
    const owner = await api.signIn();
    await close(owner);
    const { status, body } = await owner.delete(closing);
    expect([status, body.closing.closesAt]).toEqual([200, null]);
    expect((await page(owner.slug)).status).toBe(200);
    expect((await owner.get('/api/authenticate')).body.user.closesAt).toBeNull();
    await api.settle();
    ahead = 31 * day;
    await carryOutDue(forgetting);
    ahead = 0;
    expect((await logIn(owner)).status).toBe(200);
    // It may be closed again.
    expect((await close(owner)).body.closing.closesAt).not.toBeNull();
    await owner.delete(closing);
  });

  test('cannot be held open by its tradie where the operator closes it', async () => {
    const owner = await api.signIn();
    const { businessId } = owner;
    const about = { scope: 'business', basis: 'operator', businessId, ids: [businessId] } as const;
    await requestErasure(forgetting, { ...about, erasureId: crypto.randomUUID() });
    expect((await owner.delete(closing)).status).toBe(409);
    await api.settle();
    expect((await owner.get(closing)).body.closing.closesAt).not.toBeNull();
  });

  test('is gone from every table, sample, file and answer in thirty days, and all others are as they were', async () => {
    const owner = await aWholeBusiness();
    await close(owner);
    const others = await rowsOf(rival);
    expect(findMarkers(await copyOut(api.everyRow), markers).length).toBeGreaterThan(5);
    ahead = 29 * day;
    await carryOutDue(forgetting);
    expect((await listErasures(api.everyRow)).find(({ ids }) => ids.includes(owner.businessId))?.status).toBe(
      'requested',
    );
    ahead = 30 * day + 60_000;
    expect(await carryOutDue(forgetting)).toBeGreaterThan(0);
    ahead = 0;
    await api.settle();

    await api.everyRow.query('analyze');
    const { rows: samples } = await api.everyRow.query<{ text: string }>(
      `select coalesce(most_common_vals::text, '') || coalesce(histogram_bounds::text, '') as text from pg_stats
       where schemaname in ('read', 'state')`,
    );
    const everything = {
      ...(await copyOut(api.everyRow)),
      pg_stats: samples.map(({ text }) => text).join('\n'),
    };
    expect(findMarkers(everything, markers)).toEqual([]);
    expect(await rowsOf(rival)).toEqual(others);
    expect((await owner.get('/api/jobs')).status).toBe(403);
    expect((await logIn(owner)).status).toBe(401);
    expect((await page(owner.slug)).status).toBe(404);
    expect(await api.deps.files.get(owner.logo.slice(1) as `logos/${string}`)).toBeNull();
    expect((await sentMail(api)).filter(({ text }) => findMarkers({ text }, markers).length > 0)).toEqual([]);
    expect((await rival.get('/api/jobs')).body.jobs[0].title).toBeDefined();
    expect((await page(rival.slug)).status).toBe(200);

    // The person and the name are free for a new start; the address is not yet.
    const { businessId, accountId, email, slug } = owner;
    await api.signIn({ email });
    await expect(api.signIn({ slug })).rejects.toThrow();
    const erased = { jobIds: [], demoIds: [], accountIds: [accountId], businessIds: [businessId] };
    expect(await findRemains(forgetting, erased)).toEqual([]);
    expect(await verifyErasure(forgetting, erased)).toEqual([]);
    const [of] = (await listErasures(api.everyRow)).filter(({ ids }) => ids.includes(businessId));
    expect(of).toMatchObject({ status: 'completed', basis: 'account-closed' });
    expect(of?.counts).toMatchObject({ 'state.credentials': 1, 'state.files': 2 });
  });

  test('waits while a job is in dispute', async () => {
    const owner = await api.signIn();
    const jobId = await requestedJob(api, owner);
    await owner.put(`/api/jobs/${jobId}/accept`);
    const until = new Date(Date.now() + 60 * day).toISOString().slice(0, 10);
    expect((await owner.put(`/api/jobs/${jobId}/dispute`, { until })).status).toBe(200);
    await close(owner);
    await api.settle();
    ahead = 31 * day;
    await carryOutDue(forgetting);
    expect((await logIn(owner)).status).toBe(200);
    ahead = 61 * day;
    await carryOutDue(forgetting);
    ahead = 0;
    expect((await logIn(owner)).status).toBe(401);
  });

  test('takes its account along, whichever of them is named', async () => {
    const owner = await api.signIn();
    const { accountId, businessId } = owner;
    const about = { scope: 'account', basis: 'operator', businessId, ids: [accountId] } as const;
    const erased = { jobIds: [], demoIds: [], accountIds: [accountId], businessIds: [businessId] };
    expect(await previewErasure(api.everyRow, erased)).toMatchObject({ keys: 2, jobs: 0 });
    const erasureId = crypto.randomUUID();
    await requestErasure(forgetting, { ...about, erasureId, isNow: true });
    await carryOut(forgetting, erasureId);
    expect(await findRemains(forgetting, erased)).toEqual([]);
    expect((await page(owner.slug)).status).toBe(404);
  });

  test('whose log and keys a restore brought back is erased again at the next start', async () => {
    const owner = await api.signIn();
    const jobId = await requestedJob(api, owner, { name: 'Hemi Tautari' });
    const keys = await api.everyRow.query(
      `select subject, wrapped_key from state.subject_keys where subject = any($1)`,
      [[`customer-${jobId}`, `account-${owner.accountId}`, `business-${owner.businessId}`]],
    );
    const credential = await api.everyRow.query('select * from state.credentials where account_id = $1', [
      owner.accountId,
    ]);
    const erasureId = crypto.randomUUID();
    const { businessId } = owner;
    const about = { scope: 'business', basis: 'operator', businessId, ids: [businessId] } as const;
    await requestErasure(forgetting, { ...about, erasureId, isNow: true });
    await carryOut(forgetting, erasureId);
    for (const { subject, wrapped_key } of keys.rows)
      await api.everyRow.query(
        'update state.subject_keys set wrapped_key = $2, destroyed_at = null where subject = $1',
        [subject, wrapped_key],
      );
    const [row] = credential.rows;
    await api.everyRow.query(
      'insert into state.credentials (account_id, business_id, hash, changed_at) values ($1, $2, $3, $4)',
      [row.account_id, row.business_id, row.hash, row.changed_at],
    );
    expect(await applyLedger(forgetting)).toBeGreaterThan(0);
    const { rows } = await api.everyRow.query(
      'select subject from state.subject_keys where subject = any($1) and wrapped_key is not null',
      [keys.rows.map(({ subject }) => subject)],
    );
    expect(rows).toEqual([]);
    expect((await logIn(owner)).status).toBe(401);
    expect(await applyLedger(forgetting)).toBe(0);
  });

  test('has its events once, ids alone', async () => {
    const owner = await api.signIn();
    const { businessId, accountId } = owner;
    const about = { scope: 'business', basis: 'operator', businessId, ids: [businessId] } as const;
    const erasureId = crypto.randomUUID();
    await requestErasure(forgetting, { ...about, erasureId, isNow: true });
    await Promise.all([carryOut(forgetting, erasureId), carryOut(forgetting, erasureId)]);
    const typesIn = async (stream: ReturnType<typeof streamName>) =>
      (await api.deps.store.readStream(stream)).map(({ type }) => type);
    const closed = (await typesIn(streamName('business', businessId))).filter((type) => /Clos/.test(type));
    expect(closed).toEqual(['BusinessClosurePlanned', 'BusinessClosed']);
    expect((await typesIn(streamName('account', accountId))).at(-1)).toBe('AccountErased');
    expect((await typesIn(streamName('enquiryForm', businessId))).at(-1)).toBe('EnquiryFormClosed');
  });
});
