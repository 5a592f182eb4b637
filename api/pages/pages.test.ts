import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compressFiles } from '#api/runtime/compression.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { createPages, type Pages } from './pages.ts';

const folder = tempFolder('pages');
const shell = (name: string) =>
  `<!DOCTYPE html><html lang="en-AU" data-guarded="true"><title>${name}</title></html>`;
const page = (name: string) => `<!DOCTYPE html><html lang="en-AU"><title>${name}</title></html>`;
const policyOf = (path: string) => ({
  pathname: path,
  headers: [{ key: 'Content-Security-Policy', value: `default-src 'self'; script-src 'sha256-${path}'` }],
});

/** What the build leaves behind, as small as it can be. */
const build: Record<string, string> = {
  'client/index.html': shell('dashboard'),
  'client/login.html': `${page('login')}${'<p>text</p>'.repeat(200)}`,
  'client/jobs/all.html': shell('all'),
  'client/jobs/details/_.html': shell('details'),
  'client/jobs/details/_/record.html': shell('record'),
  'client/404.html': page('not found'),
  'client/500.html': page('fault'),
  'client/robots.txt': 'User-agent: *',
  'client/sw.js': 'addEventListener',
  'client/_astro/app.abc.js': 'export {};',
  '_headers.json': JSON.stringify(['/', '/login', '/404', '/500'].map(policyOf)),
  'server/entry.mjs': `export async function handle(request, init) {
    const { pathname, origin, search } = new URL(request.url);
    if (pathname === '/t/fault') return init.errorPage(new URL('/500.html', origin));
    if (pathname === '/t/unknown') return new Response('internal', { status: 404 });
    if (pathname.startsWith('/_')) return new Response('what a dependency added', { status: 200 });
    if (!pathname.startsWith('/t/') && !pathname.startsWith('/dev/')) return null;
    const seen = { method: request.method, origin, search, ip: init.clientAddress, locals: init.locals };
    return new Response(JSON.stringify(seen), {
      headers: { 'content-type': 'text/html', 'content-security-policy': "default-src 'self'" },
    });
  }`,
};

let pages: Pages;
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  pages.render(new Request(`http://10.0.0.7:4321${path}`, { headers, method }), {
    clientAddress: '203.0.113.9',
  });

beforeAll(async () => {
  for (const [name, text] of Object.entries(build)) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), text);
  }
  await compressFiles(join(folder.path, 'client'), join(folder.path, 'compressed'));
  pages = await createPages({
    distDir: folder.path,
    origin: 'https://ute.example',
    providers: () => ({ 'img-src': ['https://tiles.example'] }),
  });
});
afterAll(() => folder.remove());

describe('a prerendered page', () => {
  test('has the policy of its build with the providers of this server', async () => {
    const answer = await get('/login');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html; ?charset=utf-8$/);
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'self'; script-src 'sha256-/login'; img-src 'self' https://tiles.example",
    );
  });

  test('is revalidated: 304 to a browser that has it', async () => {
    const etag = (await get('/login')).headers.get('etag') ?? '';
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const again = await get('/login', { 'if-none-match': known });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    expect((await get('/login', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('goes out compressed where the browser takes it', async () => {
    const plain = await get('/login');
    const packed = await get('/login', { 'accept-encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toBe('accept-encoding');
    expect(new TextDecoder().decode(Bun.gunzipSync(await packed.arrayBuffer()))).toBe(await plain.text());
  });

  test('answers HEAD with headers alone', async () => {
    const answer = await get('/login', {}, 'HEAD');
    expect(answer.headers.get('content-length')).toBe(String(build['client/login.html']?.length));
    expect(await answer.text()).toBe('');
  });

  test('a slash at the end changes nothing', async () => {
    expect(await (await get('/login/')).text()).toContain('login');
  });

  test('a shell is never stored, not even with an etag', async () => {
    const { headers } = await get('/');
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
  });
});

test('one shell answers for every job, and only there', async () => {
  expect(await (await get('/jobs/details/0192f3a0')).text()).toContain('details');
  expect(await (await get('/jobs/details/0192f3a0/record')).text()).toContain('record');
  expect((await get('/jobs/details/0192f3a0/more')).status).toBe(404);
  expect((await get('/jobs/nope')).status).toBe(404);
});

test('a password manager is led to where the password is changed', async () => {
  const answer = await get('/.well-known/change-password');
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/profile?panel=security']);
});

test('/register leads to the wizard and keeps the plan', async () => {
  const answer = await get('/register?plan=plus');
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/register/tradie?plan=plus']);
});

test('/jobs leads to all jobs and keeps the query', async () => {
  const answer = await get('/jobs?search=tap%20leak');
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/jobs/all?search=tap%20leak']);
});

test('hashed files are cached for a year, others for an hour', async () => {
  expect((await get('/_astro/app.abc.js')).headers.get('cache-control')).toBe(
    'public, max-age=31536000, immutable',
  );
  expect((await get('/robots.txt')).headers.get('cache-control')).toBe('public, max-age=3600');
  expect((await get('/sw.js')).headers.get('cache-control')).toBe('no-cache');
});

test.each([
  '/nope',
  '/404',
  '/500',
  '/login.html',
  '/%E0%A4%A',
  '//evil.example/',
  '/..%2f..%2fetc/passwd',
  '/t/unknown',
])('%s is the not-found page with 404', async (path) => {
  const answer = await get(path);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  expect(await answer.text()).toBe(page('not found'));
  expect(answer.headers.get('content-security-policy')).toContain('sha256-/404');
});

describe('what a dependency adds to the build', () => {
  const added = [
    '/_image',
    '/_image/',
    '/_image?href=/icon.svg&w=4000',
    '/%5Fimage',
    '//_image',
    '/_server-islands/Any',
    '/_actions/any',
    '/t/acme/_image',
    '/dev/outbox',
  ];
  test.each(added)('%s is not found', async (path) => {
    for (const method of ['GET', 'HEAD']) expect((await get(path, {}, method)).status).toBe(404);
    expect(await (await get(path)).text()).toBe(page('not found'));
    expect(pages.has(new URL(`https://ute.example${path}`).pathname)).toBe(false);
  });
});

test('pages of developers are there where they are asked for', async () => {
  const developing = await createPages({
    ...{ distDir: folder.path, origin: 'https://ute.example', development: true },
  });
  expect(developing.has('/dev/outbox')).toBe(true);
  const request = new Request('http://localhost/dev/outbox');
  expect((await developing.render(request, { clientAddress: '127.0.0.1' })).status).toBe(200);
});

test('a path is known by its pages, however they are made', () => {
  const paths = ['/', '/login', '/login/', '/jobs', '/jobs/details/x', '/t/acme', '/t/acme/', '/robots.txt'];
  expect(paths.filter((path) => !pages.has(path))).toEqual([]);
  expect(['/404', '/500', '/nope', '/t', '/t/a/b'].filter((path) => pages.has(path))).toEqual([]);
});

describe('a page on demand', () => {
  test('runs on the public origin, with the locals and the address of its request', async () => {
    const answer = await pages.render(new Request('http://10.0.0.7:4321/t/acme?a=1'), {
      clientAddress: '203.0.113.9',
      locals: { ref: 'ABC123' },
    });
    expect(await answer.json()).toEqual({
      method: 'GET',
      origin: 'https://ute.example',
      search: '?a=1',
      ip: '203.0.113.9',
      locals: { ref: 'ABC123' },
    });
    expect(answer.headers.get('content-security-policy')).toContain('https://tiles.example');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test('is rendered again with another status after a refused form', async () => {
    const post = new Request('http://10.0.0.7:4321/t/acme', { method: 'POST', body: 'name=Dave' });
    const answer = await pages.render(post, { clientAddress: '203.0.113.9', status: 422 });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ method: 'GET' });
  });

  test('that fails is the fallback page with 500', async () => {
    const answer = await get('/t/fault');
    expect([answer.status, await answer.text()]).toEqual([500, page('fault')]);
  });
});

test('a folder without a build is one clear error', async () => {
  const missing = createPages({ distDir: join(folder.path, 'nothing'), origin: 'https://ute.example' });
  await expect(missing).rejects.toThrow('The site is not built yet');
});
