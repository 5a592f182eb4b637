import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/api.ts';

let api: TestApp;
let dave: SignedIn;
let clock = 0;

beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + clock) });
  dave = await api.signIn();
});
afterAll(() => api?.close());

const login = (email: string, password: string, rememberMe?: boolean) =>
  api.post('/api/authenticate/login', {
    email,
    password,
    ...(rememberMe === undefined ? {} : { rememberMe }),
  });

describe('login', () => {
  test('gives the user and a token that opens the profile', async () => {
    const answer = await login(dave.email, dave.password);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'ok',
      user: { user: { firstName: 'Dave' }, initials: 'DC' },
    });
    const profile = await api.as({ authorization: `Bearer ${answer.body.token}` }).get('/api/authenticate');
    expect(profile.body.user).toEqual(answer.body.user);
  });
});
