import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { createWhereabouts } from '#api/businesses/whereabouts.ts';
import type { PageRenderer } from '#api/deps.ts';
import { withPublicForms } from '#api/intake/public-form/form-pages.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { createReadSide } from '#projections/runtime/read-side/read-side.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { type LiveReader, readLive } from '#tests/support/app/api-client.ts';
import { dataUrl, png } from '#tests/support/scenarios/files.ts';

/** As long as a person may wait for it, in milliseconds: five times what is promised. */
const SOON = 5_000;

let api: TestApp;
let acme: SignedIn;
let elsewhere: Awaited<ReturnType<typeof anotherProcess>>;

/** Stands where Astro is: shows what a page shows of a business. */
const astro: PageRenderer = async (_, { locals = {} }) => {
  const form = await (locals.publicForm as () => Promise<PublicForm | null>)();
  if (!form) return new Response(null, { status: 404 });
  const { name, intro, theme, logoUrl, slug } = form;
  return new Response(JSON.stringify({ name, intro, theme, logoUrl, slug }));
};

/** A second process on the same database, listening: it has a memory of pages of its own, and is notified by the database alone. */
async function anotherProcess() {
  const { db, store } = api.deps;
  const readSide = createReadSide({ pool: db, connectionString: api.databaseUrl, store });
  await new Promise<void>((resolve) => readSide.onGap(resolve));
  const deps = { ...api.deps, readSide, whereabouts: createWhereabouts({ db, readSide }) };
  return { readSide, app: createApp(deps), pages: withPublicForms(astro, deps) };
}

beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn({ plan: 'plus' });
  elsewhere = await anotherProcess();
});
afterAll(async () => {
  await elsewhere?.readSide.close();
  await api?.close();
});

let slug = '';
const page = async () => {
  const request = new Request(`http://localhost/t/${slug || acme.slug}`);
  const answer = await elsewhere.pages(request, { clientAddress: '203.0.113.9' });
  return answer.status === 200 ? JSON.parse(await answer.text()) : {};
};
/** Opens the live stream as another tab of the owner's does, served by the other process. */
async function anotherTab(): Promise<LiveReader> {
  const headers = { authorization: `Bearer ${acme.token}` };
  const live = readLive(await elsewhere.app.handle(new Request('http://localhost/api/live', { headers })));
  await live.until(': open');
  return live;
}

const details = { bn: '51824753556', name: 'Acme Plumbing Pty Ltd' };
const changes = [
  [
    'name',
    'profile',
    () => ({ bn: { ...details, tradingName: 'Acme & Daughter' } }),
    { name: 'Acme & Daughter' },
  ],
  ['words', 'profile', () => ({ intro: 'Hot water only' }), { intro: 'Hot water only' }],
  ['words of the first step', 'intro', () => ({ intro: 'Gas too' }), { intro: 'Gas too' }],
  ['colour', 'branding', () => ({ theme: '#C21313' }), { theme: '#C21313' }],
  [
    'logo',
    'branding',
    () => ({ logo: dataUrl(png(30, 30)) }),
    { logoUrl: expect.stringMatching(/^\/logos\//) },
  ],
  ['address', 'branding', () => ({ slug: 'acme-elsewhere' }), { slug: 'acme-elsewhere' }],
] as const;

describe.each(changes)('another %s', (_, call, body, shown) => {
  test('is on the public page and in other tabs within a second, in every process', async () => {
    const before = await page();
    const live = await anotherTab();
    const answer = await acme.put(`/api/settings/${call}`, body());
    expect(answer.status).toBe(200);
    expect(answer.headers.has('x-read-model')).toBe(false);
    const text = await live.until(/"kind":"business"/, SOON);
    expect(text).toContain(acme.businessId);
    await live.cancel();
    slug = 'slug' in shown ? shown.slug : slug;
    await expect.poll(page, { timeout: SOON, interval: 20 }).toEqual({ ...before, ...shown });
  });
});

test('another name of the person is shown in other tabs', async () => {
  const live = await anotherTab();
  await acme.put('/api/settings/profile', { firstName: 'Davina', onboarding: false });
  await live.until(/"kind":"account"/, SOON);
  await live.cancel();
});
