import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Deps, PageRenderer } from '#api/deps.ts';
import { withPublicForms } from '#api/intake/public-form/form-pages.ts';
import { businessDecider } from '#core/business/decider.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { handleCommand } from '#core/event-store/handle-command.ts';
import { OutageError } from '#core/kernel/errors.ts';
import { streamName } from '#core/kernel/stream-name.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';

let api: TestApp;
let acme: SignedIn;
let pages: PageRenderer;
let rendered: Request[] = [];
let isUnavailable = false;

/** Stands where Astro is: shows the form's texts, long enough to be compressed. */
const astro: PageRenderer = async (request, { locals = {} }) => {
  rendered.push(request);
  const { pathname } = new URL(request.url);
  const publicForm = locals.publicForm as (slug: string) => Promise<PublicForm | null>;
  try {
    const form = await publicForm(pathname.split('/')[2] ?? '');
    if (!form) return new Response('not found', { status: 404 });
    const body = `<!doctype html>${form.name} ${form.intro}${' '.repeat(2_000)}`;
    return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  } catch {
    return new Response('fault', { status: 500 });
  }
};

beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn();
});
beforeEach(async () => {
  rendered = [];
  isUnavailable = false;
  const query = (...args: Parameters<typeof api.deps.db.query>) =>
    isUnavailable ? Promise.reject(new OutageError('away')) : api.deps.db.query(...args);
  const db = { query } as unknown as Deps['db'];
  pages = withPublicForms(astro, { ...api.deps, db, isStale: () => isUnavailable });
});
afterAll(() => api?.close());

const get = (path = `/t/${acme.slug}`, headers: Record<string, string> = {}, method = 'GET') =>
  pages(new Request(`http://localhost${path}`, { method, headers }), { clientAddress: '203.0.113.9' });

async function introduce(intro: string): Promise<void> {
  const { businessId } = acme;
  const command = {
    type: 'IntroduceBusiness',
    at: new Date().toISOString(),
    data: { businessId, intro },
  } as const;
  const cause = { commandId: Bun.randomUUIDv7(), actor: 'system', correlation: 'test' };
  await handleCommand(api.deps.store, businessDecider, streamName('business', businessId), command, cause);
  await api.settle();
}

test('a page is rendered once for all visitors, without anything of theirs', async () => {
  const visitor = { cookie: 'marker=1', 'user-agent': 'marker', 'x-forwarded-for': '198.51.100.7' };
  const answers = await Promise.all([
    get(undefined, visitor),
    get(`/t/${acme.slug.toUpperCase()}?utm=marker`),
  ]);
  expect(await answers[0]?.text()).toBe(await answers[1]?.text());
  await get();
  expect(rendered).toHaveLength(1);
  expect([...(rendered[0]?.headers.keys() ?? [])]).toEqual([]);
  expect(rendered[0]?.url).not.toContain('marker');
});

test('it is sent compressed, without a body for HEAD, and not at all to who has it', async () => {
  const plain = await get();
  const etag = plain.headers.get('etag') ?? '';
  expect(plain.headers.get('cache-control')).toBe('no-cache');
  const packed = await get(undefined, { 'accept-encoding': 'gzip' });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  const bytes = new Uint8Array(await packed.arrayBuffer());
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await plain.text());
  expect(await (await get(undefined, {}, 'HEAD')).text()).toBe('');
  expect((await get(undefined, { 'if-none-match': etag })).status).toBe(304);
});

test('a change of the business is seen by the next visitor', async () => {
  expect(await (await get()).text()).not.toContain('gas fitting');
  await introduce('Now also gas fitting.');
  const shown = async () => (await get()).text();
  await expect.poll(shown).toContain('Now also gas fitting.');
  expect(rendered).toHaveLength(2);
});

test('an address of no business is not cached', async () => {
  for (const _ of [1, 2]) expect((await get('/t/nobody-at-all')).status).toBe(404);
  expect(rendered).toHaveLength(2);
});

test('while the database is unavailable a page that was shown is shown, and says that it may be old', async () => {
  const before = await (await get()).text();
  isUnavailable = true;
  const stale = await get();
  expect(stale.headers.get('x-read-model')).toBe('stale');
  expect(await stale.text()).toBe(before);
  const sent = await get(`/t/${acme.slug}/sent?ref=ABC123`);
  expect(sent.status).toBe(200);
});

test('while the database is unavailable a page that was never shown says so, and asks again by itself', async () => {
  isUnavailable = true;
  for (const path of [undefined, `/t/${acme.slug}/sent?ref=ABC123`]) {
    const answer = await get(path);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await answer.text()).toContain('http-equiv="refresh"');
  }
  isUnavailable = false;
  expect((await get()).status).toBe(200);
});
