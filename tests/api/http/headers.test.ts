import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';

let api: TestApp;
let dave: SignedIn;

beforeAll(async () => {
  api = await testApp({
    env: { PUBLIC_ORIGIN: 'https://jobs.example.com' },
    pages: async (request) => {
      if (new URL(request.url).pathname === '/broken') throw new Error('marker');
      return new Response('<p>page</p>', {
        headers: { 'content-type': 'text/html', 'content-security-policy': "default-src 'self'" },
      });
    },
  });
  dave = await api.signIn();
});
afterAll(() => api?.close());

const JSON_TYPE = { 'content-type': 'application/json' };

test.each([
  ['an answer', 200, () => dave.get('/api/authenticate')],
  ['no session', 403, () => api.get('/api/authenticate')],
  ['an unknown path', 404, () => dave.get('/api/nothing')],
  ['another method', 405, () => dave.put('/api/authenticate')],
  [
    'a body too large',
    413,
    () => dave.send('POST', '/api/authenticate/login', { body: 'x'.repeat(70_000), headers: JSON_TYPE }),
  ],
  ['another content type', 415, () => dave.send('POST', '/api/authenticate/login', { body: 'x' })],
  ['invalid input', 422, () => dave.post('/api/authenticate/login', {})],
  ['a page', 200, () => api.get('/login')],
  ['a page that fails', 500, () => api.get('/broken')],
  [
    'a form from another site',
    400,
    () => api.send('POST', '/t/x', { body: 'a=b', headers: { origin: 'https://evil.example' } }),
  ],
] as const)('%s carries every security header', async (_name, status, ask) => {
  const { headers, ...answer } = await ask();
  expect(answer.status).toBe(status);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
  expect(headers.get('content-security-policy')).toContain('default-src');
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('what the API answers is never stored and runs nothing', async () => {
  for (const { headers } of [await dave.get('/api/authenticate'), await dave.get('/api/nothing')]) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
});

test('a page keeps the policy of its build', async () => {
  const { headers } = await api.get('/login');
  expect(headers.get('content-security-policy')).toBe("default-src 'self'");
});

test('an answer to an error names its line in the log', async () => {
  const answer = await api.get('/broken');
  expect(answer.text).not.toContain('marker');
  expect(answer.body.ref).toBe(answer.headers.get('x-request-id'));
});

test('plain http gets no header that insists on https', async () => {
  const plain = await testApp();
  const { headers } = await plain.get('/api/health/live');
  await plain.close();
  expect(headers.has('strict-transport-security')).toBe(false);
});
