import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptedEncodings, compress, isCompressible } from './static-files.ts';

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
