import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { createPages, type Pages } from '#api/pages/pages.ts';
import { ensureSite } from '#api/runtime/launch/build.ts';
import { prerenderedPages } from '#tests/support/operations/operations.ts';

const root = new URL('../../', import.meta.url).pathname;
const operatorEmail = "o'neil+ute@ute.example";

let pages: Pages;
beforeAll(async () => {
  await ensureSite();
  pages = await createPages({ distDir: `${root}dist`, origin: 'https://ute.example', operatorEmail });
}, 300_000);

const get = (path: string, headers: Record<string, string> = {}) =>
  pages.render(new Request(`https://ute.example${path}`, { headers }), { clientAddress: '203.0.113.9' });

/** The source of everything that draws a page, islands and pages of a request included. */
const sources = readdirSync(`${root}site/src`, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(tsx|astro)$/.test(file))
  .map((file) => [file, readFileSync(`${root}site/src/${file}`, 'utf8')] as const);

test('no page has anything behind its end', async () => {
  for (const path of prerenderedPages) {
    const html = await (await get(path)).text();
    expect([path, html.split('</html>')[1]?.trim(), html.split('</body>')[1]?.trim()]).toEqual([
      path,
      '',
      '</html>',
    ]);
  }
  // Pages of a request are written by Astro alone: a script beside the layout would stand behind its end.
  const loose = sources
    .filter(([file, text]) => !/^pages\//.test(file) || /prerender = false/.test(text))
    .filter(([, text]) => /<\/\w*(Layout|Page|Document|Shell)>\s*<script/.test(text));
  expect(loose.map(([file]) => file)).toEqual([]);
});

test('every style of a page stands in its head', async () => {
  for (const path of prerenderedPages) {
    const html = await (await get(path)).text();
    expect([path, html.split('</head>')[1]?.match(/<style[^>]*>.{0,40}/g) ?? []]).toEqual([path, []]);
  }
});

test('no heading is a status: it would be a heading no more', () => {
  const found = sources.flatMap(([file, text]) =>
    (text.match(/<h[1-6]\b[^>]*\brole=/g) ?? []).map((sign) => `${file}: ${sign}`),
  );
  expect(found).toEqual([]);
});

test('a line of text asks a browser for no address of several lines', () => {
  const found = sources.flatMap(([file, text]) =>
    (text.match(/<(?:input|Field|TextField|AddressField)\b[^>]*street-address/g) ?? []).map(
      (sign) => `${file}: ${sign}`,
    ),
  );
  expect(found).toEqual([]);
  expect(sources.filter(([, text]) => text.includes('street-address')).map(([file]) => file)).toEqual([]);
});

test('what a browser has is not sent again, by a strong tag, a weak one, or one of several', async () => {
  for (const path of ['/privacy', '/icon.svg', '/favicon.ico']) {
    const etag = (await get(path)).headers.get('etag') ?? '';
    const strong = etag.replace('W/', '');
    for (const tag of [etag, strong, `"other", ${strong}`, '*'])
      expect([path, tag, (await get(path, { 'if-none-match': tag })).status]).toEqual([path, tag, 304]);
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  }
});

test('an icon is where browsers look for one', async () => {
  const answer = await get('/favicon.ico');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
  expect([...new Uint8Array(await answer.arrayBuffer()).subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
});

test('security.txt names whom to tell, and until when that holds', async () => {
  const answer = await get('/.well-known/security.txt');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const text = await answer.text();
  const fields = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}: (.*)$`, 'gm'))].map(([, value]) => value);
  expect(fields('Contact')).toEqual(["mailto:o'neil%2Bute@ute.example", 'https://ute.example/privacy']);
  expect(fields('Canonical')).toEqual(['https://ute.example/.well-known/security.txt']);
  const [expires = '', ...others] = fields('Expires');
  expect(others).toEqual([]);
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(170);
  expect(days).toBeLessThan(365);
  const nameless = await createPages({ distDir: `${root}dist`, origin: 'https://ute.example' });
  const request = new Request('https://ute.example/.well-known/security.txt');
  const told = await (await nameless.render(request, { clientAddress: '203.0.113.9' })).text();
  expect(told.match(/^Contact: .*$/gm)).toEqual(['Contact: https://ute.example/privacy']);
});
