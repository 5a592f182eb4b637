import { expect, test } from 'vitest';
import { createUploads } from './uploads.ts';

const MB = 1024 * 1024;
const tooMany = expect.objectContaining({ status: 503 });

const uploads = () => createUploads({ uploadBudget: 1_000_000, rateLimits: 'off' }, () => new Date(0));

const sent = (headers: Record<string, string>) =>
  new Request('http://localhost/t/acme', { method: 'POST', body: 'some of it', headers });
const long = (bytes = 26 * MB) => sent({ 'content-length': String(bytes) });

test('eight large bodies are held back at once, and the next is refused before any of it is kept', () => {
  const { holdBack, letGo } = uploads();
  const crowd = Array.from({ length: 8 }, () => long());
  for (const request of crowd) holdBack(request);
  expect(() => holdBack(long())).toThrow(tooMany);
  for (const request of crowd.slice(0, 2)) letGo(request);
  holdBack(long());
  holdBack(long());
  expect(() => holdBack(long(1 * MB))).toThrow(tooMany);
});

test('of photos as phones send them there may be dozens', () => {
  const { holdBack } = uploads();
  for (let n = 0; n < 32; n += 1) holdBack(long(MB / 2));
  expect(() => holdBack(long(MB / 2))).toThrow(tooMany);
});

test('a body that does not say its length is a large one', () => {
  const { holdBack } = uploads();
  const endless = () => sent({ 'transfer-encoding': 'chunked' });
  for (let n = 0; n < 8; n += 1) holdBack(endless());
  expect(() => holdBack(endless())).toThrow(tooMany);
});

test('a body that is read is held back no more', async () => {
  const { holdBack, open } = uploads();
  const first = long();
  holdBack(first);
  for (let n = 0; n < 7; n += 1) holdBack(long());
  using upload = open(first);
  await upload.chunks().next();
  holdBack(long());
});

test.each([
  ['a short body', { 'content-length': '64000' }],
  ['none', {}],
] as const)('%s is never held back', (_, headers) => {
  const { holdBack } = uploads();
  for (let n = 0; n < 100; n += 1) holdBack(sent(headers));
});
