import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptedEncodings, compress, compressFiles, isCompressible } from '#api/runtime/compression.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { readStaticFiles } from './static-files.ts';

test.each([
  [null, []],
  ['', []],
  ['identity', []],
  ['gzip', ['gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['GZIP;q=0.5, BR;q=1.0', ['br', 'gzip']],
  ['br;q=0, gzip', ['gzip']],
  ['gzip; q=0.000', []],
  ['xgzip', []],
] as const)('%j accepts %j', (header, encodings) => {
  expect(acceptedEncodings(header)).toEqual(encodings);
});

test('text of some length is worth compressing, pictures and fonts are not', () => {
  expect(isCompressible('text/html;charset=utf-8', 2_000)).toBe(true);
  expect(isCompressible('image/svg+xml', 2_000)).toBe(true);
  expect(isCompressible('text/html', 100)).toBe(false);
  expect(isCompressible('font/woff2', 20_000)).toBe(false);
});

test('both encodings give the bytes back', async () => {
  const bytes = new TextEncoder().encode('jobs '.repeat(1_000));
  expect(new Uint8Array(gunzipSync(await compress(bytes, 'gzip')))).toEqual(bytes);
  expect(new Uint8Array(brotliDecompressSync(await compress(bytes, 'br')))).toEqual(bytes);
});

test('a folder is read with the compressed forms that its build wrote', async () => {
  const folder = tempFolder('static-files');
  mkdirSync(join(folder.path, '_astro'));
  const script = 'export const jobs = [];\n'.repeat(100);
  writeFileSync(join(folder.path, '_astro', 'jobs.js'), script);
  writeFileSync(join(folder.path, 'icon.png'), 'no text'.repeat(100));
  writeFileSync(join(folder.path, 'robots.txt'), 'short');
  const compressed = tempFolder('compressed');
  await compressFiles(folder.path, compressed.path);
  const files = await readStaticFiles(folder.path, () => ({}), compressed.path);
  compressed.remove();
  folder.remove();
  expect([...files.keys()].toSorted()).toEqual(['/_astro/jobs.js', '/icon.png', '/robots.txt']);
  const { encoded } = files.get('/_astro/jobs.js') ?? {};
  expect(gunzipSync(encoded?.get('gzip') ?? '').toString()).toBe(script);
  expect(brotliDecompressSync(encoded?.get('br') ?? '').toString()).toBe(script);
  for (const path of ['/icon.png', '/robots.txt']) expect(files.get(path)?.encoded.size, path).toBe(0);
});
