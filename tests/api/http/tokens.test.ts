import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';

let api: TestApp;
let dave: SignedIn;
let eve: SignedIn;
let sessionId: string;

beforeAll(async () => {
  api = await testApp();
  dave = await api.signIn();
  eve = await api.signIn();
  sessionId = (await dave.get('/api/authenticate/sessions')).body.sessions[0].id;
});
afterAll(() => api?.close());

type Claims = Partial<Record<'iss' | 'aud' | 'sub' | 'jti', string>> & { exp?: number | null };

function claims({ exp, ...changed }: Claims = {}) {
  const soon = Math.floor(Date.now() / 1000) + 600;
  return {
    ...{ iss: 'ute', aud: 'web', sub: dave.accountId, jti: sessionId },
    ...(exp === null ? {} : { exp: exp ?? soon }),
    ...changed,
  };
}

const sign = (payload: object, { key = api.deps.config.keys.token, alg = 'HS256' } = {}) =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg, typ: 'JWT' }).sign(key);

const ask = (token: string) => api.as({ authorization: `Bearer ${token}` }).get('/api/authenticate');

test('a token made as the server makes it is good', async () => {
  expect((await ask(await sign(claims()))).status).toBe(200);
});

test.each<[string, () => Promise<string> | string]>([
  ['without a signature (alg none)', () => new UnsecuredJWT(claims()).encode()],
  ['signed with another key', () => sign(claims(), { key: Buffer.alloc(32, 7) })],
  ['signed with another of our keys', () => sign(claims(), { key: api.deps.config.keys.botCheck })],
  ['with another algorithm', () => sign(claims(), { alg: 'HS512' })],
  ['for another audience', () => sign(claims({ aud: 'chatbot' }))],
  ['of another issuer', () => sign(claims({ iss: 'somebody' }))],
  ['that has expired', () => sign(claims({ exp: Math.floor(Date.now() / 1000) - 120 }))],
  ['that never expires', () => sign(claims({ exp: null }))],
  ['without a session', () => sign({ ...claims(), jti: undefined })],
  ['without an account', () => sign({ ...claims(), sub: undefined })],
  ['of an unknown session', () => sign(claims({ jti: 'x'.repeat(43) }))],
  ['of another account’s session', () => sign(claims({ sub: eve.accountId }))],
  // The last letter of a signature has two bits that mean nothing: the first counts in full.
  [
    'with a changed letter',
    () => dave.token.replace(/(?<=\.)[^.](?=[^.]*$)/, (letter) => (letter === 'A' ? 'B' : 'A')),
  ],
  ['that is no token', () => 'x'.repeat(60)],
  ['that is empty', () => ''],
])('a token %s is a dead session', async (_name, make) => {
  const answer = await ask(await make());
  expect(answer.status).toBe(403);
  expect(answer.body.message).toBe('Session timed out');
});

test('a token in the address opens nothing', async () => {
  expect((await api.get(`/api/authenticate?token=${dave.token}`)).status).toBe(403);
});

test('a client that is not signed in learns nothing of a route’s input', async () => {
  expect((await api.put('/api/jobs/nonsense', { status: 7 })).status).toBe(403);
});
