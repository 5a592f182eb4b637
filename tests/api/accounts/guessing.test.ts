import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { passwordsOf } from '#api/accounts/passwords.ts';
import { tooManyRequests } from '#api/http/answers.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { payloadOf, solve } from '#tests/support/app/api-client.ts';
import { deliver, sentMail } from '#tests/support/app/messages.ts';
import { changeEmail, freshEmail } from '#tests/support/scenarios/registrations.ts';

let api: TestApp;
let dave: SignedIn;
beforeAll(async () => {
  api = await testApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1' } });
  dave = await api.signIn();
});
afterAll(() => api?.close());

type Attempt = Readonly<{ from: string; ticket?: string }>;
const login = (email: string, password: string, { from, ticket }: Attempt) =>
  api.post(
    '/api/authenticate/login',
    { email, password },
    { 'x-forwarded-for': from, ...(ticket === undefined ? {} : { 'x-bot-check': ticket }) },
  );

let tickets = 0;
async function ticketFor(scope: string, price: number): Promise<string> {
  tickets += 1;
  const visitor = api.as({ 'x-forwarded-for': `192.0.${tickets}.1` });
  const { body } = await visitor.get(`/api/bot-check/challenge?scope=${scope}&price=${price}`);
  const payload = payloadOf(body.challenge, await solve(body.challenge));
  return (await visitor.post('/api/bot-check/verify', { scope, payload })).body.ticket;
}

/** Wrong passwords, each from a network of its own. */
async function guess(times: number, email: string, net: number) {
  const answers = [];
  for (let n = 0; n < times; n += 1)
    answers.push(await login(email, `wrong ${n}`, { from: `10.${net}.${n}.1` }));
  return answers;
}
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status);

describe('wrong passwords from sixty networks', () => {
  test('meet a bot check after twenty, whether the email has an account or not', async () => {
    const [known, unknown] = [await guess(60, dave.email, 1), await guess(60, 'none@acme.example', 2)];
    for (const answers of [known, unknown]) {
      expect(statuses(answers)).toEqual([...Array(20).fill(401), ...Array(40).fill(400)]);
    }
    const wordsOf = ({ body: { ref: _, ...words } }: { body: Record<string, unknown> }) => words;
    expect(known.map(wordsOf)).toEqual(unknown.map(wordsOf));
    expect(known.at(-1)?.body).toMatchObject({
      message: 'We need to check that a person is asking. Please try again in a moment',
      botCheck: { scope: 'login', price: 1 },
    });
  });

  test('lock no owner out: the right password with a solved bot check gets in, once for each ticket', async () => {
    const from = '198.51.100.7';
    expect((await login(dave.email, dave.password, { from })).status).toBe(400);
    const ticket = await ticketFor('login', 1);
    expect((await login(dave.email, dave.password, { from, ticket })).status).toBe(200);
    expect((await login(dave.email, dave.password, { from, ticket })).status).toBe(400);
    const other = await ticketFor('registration', 1);
    expect((await login(dave.email, dave.password, { from, ticket: other })).status).toBe(400);
  });

  test('are notified to the owner, once', async () => {
    await deliver(api);
    const told = (await sentMail(api, dave.email)).filter(({ subject }) => subject.includes('Wrong'));
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain('not locked');
    expect(await sentMail(api, 'none@acme.example')).toEqual([]);
  });

  test('at once get no more than twenty tries', async () => {
    const eve = await api.signIn();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => login(eve.email, 'wrong', { from: `10.3.${n}.1` })),
    );
    expect(statuses(answers).filter((status) => status === 401).length).toBeLessThanOrEqual(20);
  });

  test('cost more the more there are', async () => {
    const eve = await api.signIn();
    await guess(20, eve.email, 4);
    for (let n = 0; n < 40; n += 1) {
      const ticket = await ticketFor('login', 1);
      const { status } = await login(eve.email, 'wrong', { from: `10.5.${n}.1`, ticket });
      expect(status).toBe(401);
    }
    const ticket = await ticketFor('login', 1);
    const refused = await login(eve.email, eve.password, { from: '198.51.100.8', ticket });
    expect(refused.body.botCheck).toEqual({ scope: 'login', price: 2 });
    const dear = await ticketFor('login', 2);
    expect((await login(eve.email, eve.password, { from: '198.51.100.8', ticket: dear })).status).toBe(200);
  });
});

test('a signed-in session meets the same check where it gives its password', async () => {
  const eve = await api.signIn();
  await guess(20, eve.email, 6);
  const security = (ticket?: string) =>
    eve.put(
      '/api/authenticate/security',
      { currentPassword: eve.password, newPassword: 'Kumara-harvest-7' },
      ticket === undefined ? {} : { 'x-bot-check': ticket },
    );
  expect((await security()).body.botCheck).toEqual({ scope: 'login', price: 1 });
  expect((await changeEmail(eve, freshEmail())).body.botCheck).toEqual({ scope: 'login', price: 1 });
  expect((await security(await ticketFor('login', 1))).status).toBe(200);
});

test('a password of a signed-in session that could not be checked is no wrong one', async () => {
  const eve = await api.signIn();
  await guess(19, eve.email, 7);
  const full = vi.spyOn(passwordsOf(api.deps.config), 'matches').mockRejectedValueOnce(tooManyRequests(1));
  expect((await changeEmail(eve, freshEmail())).status).toBe(429);
  full.mockRestore();
  const from = '10.7.100.1';
  expect((await login(eve.email, 'wrong', { from })).status).toBe(401);
  expect((await login(eve.email, 'wrong', { from })).status).toBe(400);
});

describe('an IPv6 client that changes its /64', () => {
  test('has ten tries of one account within a /56, and fifteen within a /48', async () => {
    const eve = await api.signIn();
    const within56 = [];
    for (let n = 0; n < 11; n += 1)
      within56.push(await login(eve.email, 'wrong', { from: `2001:db8:7:1${n.toString(16)}::1` }));
    expect(statuses(within56)).toEqual([...Array(10).fill(401), 429]);
    const within48 = [];
    for (let n = 2; n < 13; n += 1)
      within48.push(await login(eve.email, 'wrong', { from: `2001:db8:7:${n.toString(16)}00::1` }));
    expect(statuses(within48)).toEqual([...Array(5).fill(401), ...Array(6).fill(429)]);
    expect((await login(eve.email, eve.password, { from: '2001:db8:8::1' })).status).toBe(200);
  });

  test('has one count of bot checks for all addresses of its /64', async () => {
    const ask = (n: number) =>
      api.get('/api/bot-check/challenge?scope=demo', {
        'x-forwarded-for': `2001:db8:9:9::${n.toString(16)}`,
      });
    const answers = [];
    for (let n = 1; n <= 61; n += 1) answers.push(await ask(n));
    expect(statuses(answers)).toEqual([...Array(60).fill(200), 429]);
  });
});

test('a figure says how many networks try many accounts', async () => {
  const figure = async () =>
    /^ute_login_networks_trying_many (\d+)$/m.exec((await api.get('/api/metrics')).text)?.[1];
  const before = Number(await figure());
  for (let n = 0; n < 10; n += 1)
    await login(`spray-${n}@acme.example`, 'Summer2026', { from: `203.0.113.${n}` });
  expect(Number(await figure())).toBe(before + 1);
});
