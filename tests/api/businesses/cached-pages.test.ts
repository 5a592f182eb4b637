import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import type { PageRenderer } from '#api/deps.ts';
import { createLogger } from '#api/http/log.ts';
import { createPageCache, withPublicForms } from '#api/intake/public-form/form-pages.ts';
import type { PublicForm } from '#core/enquiry-form/public-form.ts';
import { START } from '#core/event-store/port.ts';
import { projections } from '#projections/registry.ts';
import { keyOf } from '#projections/runtime/build.ts';
import { payloads, readModelChannel } from '#projections/runtime/notify.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient, type Client } from '#tests/support/app/api-client.ts';

let api: TestApp;
let acme: SignedIn;
let rival: SignedIn;
/** Two processes on one database: each with its memory. */
let one: Process;
let other: Process;
let isStale = false;
const lines: string[] = [];

/** `asked`: what went the usual way. */
type Process = Client & { asked: string[]; rendered: string[]; cached(slug: string): unknown };

beforeAll(async () => {
  api = await testApp({ env: { PUBLIC_ORIGIN: 'https://jobs.example.com' } });
  [acme, rival] = [await api.signIn(), await api.signIn()];
  await everyChangeHeard();
});
beforeEach(() => {
  isStale = false;
  [one, other] = [aProcess(), aProcess()];
});
afterAll(() => api?.close());

/** A notification that comes late would empty a memory within a test. They come in order, so the last of all is waited for. */
async function everyChangeHeard(): Promise<void> {
  await api.settle();
  const { readSide, db } = api.deps;
  const last = new Promise<void>((heard) => readSide.onChange(({ id }) => id === 'last' && heard()));
  const [projection] = projections.map(keyOf);
  const changes = [{ businessId: rival.businessId, kind: 'job', id: 'last' }] as const;
  const [payload] = payloads({ projection: projection ?? '', position: START, changes });
  await db.query('select pg_notify($1, $2)', [readModelChannel, payload]);
  await last;
}

function aProcess(): Process {
  const rendered: string[] = [];
  /** Stands where Astro is. */
  const astro: PageRenderer = async (request, { locals = {} }) => {
    const slug = new URL(request.url).pathname.split('/')[2] ?? '';
    const form = await (locals.publicForm as (slug: string) => Promise<PublicForm | null>)(slug);
    if (!form) return new Response('not found', { status: 404 });
    rendered.push(slug);
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'self'",
    };
    return new Response(`<!doctype html>${form.slug} ${form.intro}${' '.repeat(2_000)}`, { headers });
  };
  const deps = {
    ...api.deps,
    isStale: () => isStale,
    logger: createLogger('info', { write: (line) => void lines.push(line) }),
  };
  const cache = createPageCache(deps.readSide);
  const usual = withPublicForms(astro, deps, cache);
  const asked: string[] = [];
  const pages: PageRenderer = (request, init) => {
    asked.push(request.url);
    return usual(request, init);
  };
  const app = createApp({ ...deps, pages, cachedPage: cache.fresh });
  return { ...apiClient(app), asked, rendered, cached: cache.fresh };
}

const visit = (process: Process, slug = acme.slug, headers: Record<string, string> = {}) =>
  process.get(`/t/${slug}`, headers);

describe('a page from memory', () => {
  test.each([{}, { 'accept-encoding': 'gzip, br' }, { 'accept-encoding': 'gzip;q=0, br' }])(
    'has every header and byte of the one that was rendered, for %j',
    async (headers) => {
      await visit(one);
      // The way of a visitor that memory does not serve leads past it to the same file.
      const usual = await visit(one, acme.slug, { ...headers, 'if-none-match': '"another"' });
      const cached = await visit(one, acme.slug, headers);
      const compared = ({ headers: all }: typeof cached) =>
        [...all].filter(([name]) => name !== 'x-request-id').sort();
      expect(compared(cached)).toEqual(compared(usual));
      expect(cached.text).toBe(usual.text);
      expect(cached.headers.get('strict-transport-security')).toContain('max-age');
      expect(cached.headers.get('content-security-policy')).toBe("default-src 'self'");
      expect(cached.headers.get('x-request-id')).not.toBe(usual.headers.get('x-request-id'));
      expect([one.rendered.length, one.asked.length]).toEqual([1, 2]);
    },
  );

  test('is for GET of what is fresh alone: not for who has it, HEAD, or while the log is unavailable', async () => {
    const first = await visit(one);
    const etag = first.headers.get('etag') ?? '';
    const known = await visit(one, acme.slug, { 'if-none-match': etag });
    expect([known.status, known.text]).toEqual([304, '']);
    const head = await one.send('HEAD', `/t/${acme.slug}`);
    expect([head.status, head.text]).toEqual([200, '']);
    isStale = true;
    expect((await visit(one)).headers.get('x-read-model')).toBe('stale');
    isStale = false;
    expect((await visit(one)).headers.has('x-read-model')).toBe(false);
  });

  test('is one line in the log, and counted, as any other answer', async () => {
    await visit(one);
    lines.length = 0;
    const { headers } = await visit(one, `${acme.slug.toUpperCase()}?utm=marker`);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ level: 30, time: expect.any(String), event: 'request', method: 'GET', route: '/*' },
        ...{ status: 200, ms: expect.any(Number), id: headers.get('x-request-id') },
      },
    ]);
    const { text } = await one.get('/api/metrics');
    expect(text).toMatch(/ute_http_request_seconds_count\{method="GET",route="\/\*",status="200"\} [12]\n/);
  });

  test('is never another business’s, whatever is asked for', async () => {
    for (const { slug } of [acme, rival]) await visit(one, slug);
    for (const { slug } of [acme, rival]) {
      const { text } = await visit(one, slug);
      expect(text.startsWith(`<!doctype html>${slug} `)).toBe(true);
    }
    const astray = [
      `${acme.slug}x`,
      `${acme.slug}/sent`,
      `${acme.slug}%2f`,
      `x/${acme.slug}`,
      '__proto__',
      '',
    ];
    for (const path of astray) {
      const { text } = await visit(one, path);
      if (path !== `${acme.slug}/sent`) expect(text, path).not.toContain(acme.slug);
    }
    expect(one.rendered.filter((slug) => slug === acme.slug).length).toBeLessThanOrEqual(2);
  });

  test('is dropped in every process when its business changes', async () => {
    for (const process of [one, other]) await visit(process);
    await acme.put('/api/settings/intro', { intro: 'Now also gas fitting.' });
    for (const process of [one, other]) {
      await expect.poll(async () => (await visit(process)).text).toContain('Now also gas fitting.');
    }
    await acme.put('/api/form', { questions: [{ id: 'bedrooms', enabled: true }] });
    for (const process of [one, other]) await expect.poll(() => process.cached(acme.slug)).toBeUndefined();
  });

  test('of no business is not cached, however many are asked for', async () => {
    for (let n = 0; n < 50; n += 1) expect((await visit(one, `nobody-${n}`)).status).toBe(404);
    for (let n = 0; n < 50; n += 1) expect(one.cached(`nobody-${n}`)).toBeUndefined();
  });
});
