import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { operations } from '#tests/support/operations/operations.ts';

let api: TestApp;
let dave: SignedIn;
beforeAll(async () => {
  api = await testApp();
  dave = await api.signIn();
});
afterAll(() => api?.close());

const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
  dave.send(method, path, { headers });

test('JSON that is read goes out compressed where that is accepted, and is the same', async () => {
  const plain = await ask('GET', '/api/registration/trades');
  expect(plain.text.length).toBeGreaterThan(512);
  expect(plain.headers.get('vary')).toBe('accept-encoding');
  expect(plain.headers.get('content-encoding')).toBeNull();
  const request = new Request('http://localhost/api/registration/trades', {
    headers: { 'accept-encoding': 'gzip, br' },
  });
  const answer = await api.app.handle(request);
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const bytes = new Uint8Array(await answer.arrayBuffer());
  expect(bytes.length).toBeLessThan(plain.text.length / 2);
  expect(JSON.parse(new TextDecoder().decode(Bun.gunzipSync(bytes)))).toEqual(plain.body);
});

test('what is short stays as it is', async () => {
  const short = await ask('GET', '/api/health/live', { 'accept-encoding': 'gzip' });
  expect([short.status, short.headers.get('content-encoding')]).toEqual([200, null]);
});

test('every path that can be read says HEAD beside GET, and every 405 says what there is', async () => {
  const paths = new Set(operations.map((operation) => operation.split(' ')[1] ?? ''));
  for (const path of paths) {
    if (!path.startsWith('/api/')) continue;
    const { status, headers } = await ask('PATCH', path.replace(/:\w+/g, 'x'));
    expect([path, status]).toEqual([path, 405]);
    const allow = headers.get('allow')?.split(', ') ?? [];
    expect(allow.length, path).toBeGreaterThan(0);
    expect([path, allow.includes('HEAD')]).toEqual([path, allow.includes('GET')]);
  }
});
