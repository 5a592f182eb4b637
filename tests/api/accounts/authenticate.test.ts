import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import { hashesDuring } from '#tests/support/scenarios/registrations.ts';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

let api: TestApp;
let dave: SignedIn;
let ahead = 0;

beforeAll(async () => {
  api = await testApp({ env: { PASSWORD_MEMORY: '19456' }, now: () => new Date(Date.now() + ahead) });
  dave = await api.signIn();
});
beforeEach(() => {
  ahead = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => api?.close());

const login = (email: string, password: string, rememberMe?: boolean) =>
  api.post('/api/authenticate/login', {
    email,
    password,
    ...(rememberMe === undefined ? {} : { rememberMe }),
  });

async function session(rememberMe?: boolean) {
  const { body } = await login(dave.email, dave.password, rememberMe);
  return api.as({ authorization: `Bearer ${body.token}` });
}

describe('login', () => {
  test('gives the user and a token that opens the same profile', async () => {
    const answer = await login(dave.email, dave.password);
    expect(answer.body).toMatchObject({
      status: 'ok',
      user: {
        firstName: 'Dave',
        lastName: 'Citizen',
        email: dave.email,
        initials: 'DC',
        onboarding: true,
        type: 'starter',
        slug: dave.slug,
        theme: '#6B8FE4',
        bn: { bn: '51824753556', tradingName: 'Acme Plumbing', country: 'au' },
      },
    });
    const profile = await api.as({ authorization: `Bearer ${answer.body.token}` }).get('/api/authenticate');
    expect(profile.body.user).toEqual(answer.body.user);
  });

  test('finds the account whatever the spelling of its email', async () => {
    expect((await login(` ${dave.email.toUpperCase()} `, dave.password)).status).toBe(200);
  });

  test('answers a wrong password, an unknown email and no email alike', async () => {
    const wrong = await login(dave.email, 'Spanner#Wrench43');
    const answers = [wrong, await login('nobody@acme.example', dave.password), await login('', '')];
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect({ ...body, ref: '' }).toEqual({
        ...{ status: 'error', code: 'wrong-credentials', message: 'Invalid credentials', ref: '' },
      });
    }
  });

  test('works as hard for an unknown email as for a wrong password', async () => {
    await login('nobody@acme.example', dave.password);
    for (const email of [dave.email, 'nobody@acme.example', '']) {
      expect(await hashesDuring(() => login(email, 'Spanner#Wrench43'))).toBe(1);
    }
  });

  test('hashes four at a time, lets 64 wait and refuses the next for a second', async () => {
    await login('nobody@acme.example', 'wrong');
    const work = Promise.withResolvers<boolean>();
    const verify = vi.spyOn(Bun.password, 'verify').mockImplementation(() => work.promise);
    const refused: Answer[] = [];
    const crowd = Array.from({ length: 4 + 64 + 7 }, async () => {
      const answer = await login('nobody@acme.example', 'wrong');
      if (answer.status === 429) refused.push(answer);
      return answer.status;
    });
    await vi.waitFor(() => expect(refused).toHaveLength(7), { timeout: 30_000 });
    expect(verify).toHaveBeenCalledTimes(4);
    for (const { headers, body } of refused) {
      expect(headers.get('retry-after')).toBe('1');
      expect(body.message).toBe('Too many attempts. Please try again in 1 second.');
    }
    work.resolve(false);
    const statuses = await Promise.all(crowd);
    expect(statuses.filter((status) => status === 401)).toHaveLength(4 + 64);
  });

  test('with the old password opens nothing while it is being changed', async () => {
    const eve = await api.signIn();
    const change = { currentPassword: eve.password, newPassword: 'Kumara-harvest-7' };
    const [changed, ...logins] = await Promise.all([
      eve.put('/api/authenticate/security', change),
      ...Array.from({ length: 12 }, () => login(eve.email, eve.password)),
    ]);
    expect(changed?.status).toBe(200);
    for (const { body } of logins.filter(({ status }) => status === 200)) {
      const own = api.as({ authorization: `Bearer ${body.token}` });
      expect((await own.get('/api/authenticate')).status).toBe(403);
    }
  });

  test('makes a hash of today’s strength from an older, weaker one', async () => {
    const weak = await Bun.password.hash(dave.password, {
      algorithm: 'argon2id',
      memoryCost: 8_192,
      timeCost: 1,
    });
    await api.deps.db.query('update state.credentials set hash = $1 where account_id = $2', [
      weak,
      dave.accountId,
    ]);
    expect((await login(dave.email, dave.password)).status).toBe(200);
    const { rows } = await api.deps.db.query('select hash from state.credentials where account_id = $1', [
      dave.accountId,
    ]);
    expect(rows[0].hash).toContain('$m=19456,t=2,');
    expect((await login(dave.email, dave.password)).status).toBe(200);
  });
});

describe('a session', () => {
  test('for the day ends after 12 hours, however busy', async () => {
    const own = await session(false);
    ahead = 12 * HOUR - 60_000;
    expect((await own.get('/api/authenticate')).status).toBe(200);
    ahead = 12 * HOUR + 1_000;
    expect((await own.get('/api/authenticate')).status).toBe(403);
  });

  test('that is remembered ends after 7 idle days', async () => {
    const own = await session();
    ahead = 6 * DAY;
    expect((await own.get('/api/authenticate')).status).toBe(200);
    ahead = 12 * DAY;
    expect((await own.get('/api/authenticate')).status).toBe(200);
    ahead = 19 * DAY + HOUR;
    expect((await own.get('/api/authenticate')).status).toBe(403);
  });

  test('that is remembered ends after 30 days, however busy', async () => {
    const own = await session();
    for (ahead = 0; ahead < 30 * DAY; ahead += 5 * DAY) {
      expect((await own.get('/api/authenticate')).status).toBe(200);
    }
    ahead = 30 * DAY + 1_000;
    expect((await own.get('/api/authenticate')).status).toBe(403);
  });

  test('that logs out is dead at once, and the browser forgets its answers, not what waits to be sent', async () => {
    const own = await session();
    const answer = await own.post('/api/authenticate/logout');
    expect(answer.headers.get('clear-site-data')).toBe('"cache"');
    const replay = await own.get('/api/authenticate');
    expect(replay.status).toBe(403);
    expect(replay.body.message).toBe('Session timed out');
    expect((await own.post('/api/authenticate/logout')).status).toBe(403);
  });
});

describe('sessions of an account', () => {
  test('are listed by browser, and one or all others can be ended', async () => {
    const here = await session();
    const there = await api.post(
      '/api/authenticate/login',
      { email: dave.email, password: dave.password },
      { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604.1' },
    );
    const phone = api.as({ authorization: `Bearer ${there.body.token}` });
    const listed = (await here.get('/api/authenticate/sessions')).body.sessions;
    const onPhone = listed.find(({ device }: { device: string }) => device === 'Safari on iPhone');
    expect(onPhone).toMatchObject({ current: false, remember: true });

    expect((await here.delete(`/api/authenticate/sessions/${onPhone.id}`)).status).toBe(200);
    expect((await here.delete(`/api/authenticate/sessions/${onPhone.id}`)).status).toBe(404);
    expect((await phone.get('/api/authenticate')).status).toBe(403);

    const another = await session();
    expect((await here.delete('/api/authenticate/sessions')).body.ended).toBeGreaterThan(0);
    expect((await another.get('/api/authenticate')).status).toBe(403);
    expect((await here.get('/api/authenticate')).status).toBe(200);
    dave = { ...dave, ...here };
  });

  test('of others cannot be ended', async () => {
    const eve = await api.signIn();
    const [hers] = (await eve.get('/api/authenticate/sessions')).body.sessions;
    const own = await session();
    const foreign = await own.delete(`/api/authenticate/sessions/${hers.id}`);
    const unknown = await own.delete(
      '/api/authenticate/sessions/0123456789012345678901234567890123456789012',
    );
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, ref: '' }).toEqual({ ...unknown.body, ref: '' });
    expect((await eve.get('/api/authenticate')).status).toBe(200);
  });
});
