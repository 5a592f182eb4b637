import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { type Answer, payloadOf, solve } from '#tests/support/app/api-client.ts';
import { aTicket, sendForm } from '#tests/support/scenarios/job-requests.ts';

const MINUTE = 60_000;
const opening = Date.parse('2026-11-03T01:00:00.000Z');
let at = opening;
let app: TestApp;
let acme: SignedIn;

beforeAll(async () => {
  app = await testApp({ now: () => new Date(at) });
  acme = await app.signIn();
});
beforeEach(() => {
  at = opening;
});
afterAll(() => app.close());

async function solved(scope = 'public-form'): Promise<string> {
  const { body } = await app.get(`/api/bot-check/challenge?scope=${scope}`);
  return payloadOf(body.challenge, await solve(body.challenge));
}
const verify = (payload: string, scope = 'public-form') =>
  app.post('/api/bot-check/verify', { scope, payload });
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

test('a solved challenge buys a ticket, and the ticket one job', async () => {
  const ticket = await aTicket(app);
  expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).body.status).toBe('ok');
  const second = await sendForm(app, acme.slug, { title: 'Another' }, { 'x-bot-check': ticket });
  expect(second).toMatchObject({ status: 400, body: { status: 'error' } });
});

test('a challenge counts once, in turn or twenty at once', async () => {
  const payload = await solved();
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(payload)));
  expect(statuses(answers)).toEqual([200, ...Array(19).fill(400)]);
  expect((await verify(payload)).body.message).toBe('The bot check was used already, please try again');
});

test('a ticket spent on two jobs at once makes one', async () => {
  const ticket = await aTicket(app);
  const before = await jobCount();
  const answers = await Promise.all(
    ['First', 'Second', 'Third'].map((title) =>
      sendForm(app, acme.slug, { title }, { 'x-bot-check': ticket }),
    ),
  );
  expect(statuses(answers)).toEqual([200, 400, 400]);
  expect(await jobCount()).toBe(before + 1);
});

test('a challenge lives five minutes and a ticket thirty', async () => {
  const payload = await solved();
  const ticket = await aTicket(app);
  at += 5 * MINUTE;
  expect((await verify(payload)).body.message).toBe('The bot check took too long, please try again');
  at = opening + 30 * MINUTE;
  expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).status).toBe(400);
});

test('a solution and a ticket are good for one scope', async () => {
  expect((await verify(await solved('registration'))).status).toBe(400);
  const ticket = await aTicket(app, 'registration');
  expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).status).toBe(400);
});

test('missing, wrong and unknown are refused', async () => {
  const { body } = await app.get('/api/bot-check/challenge?scope=public-form');
  const guess = { counter: 1, derivedKey: '00'.repeat(32) };
  expect((await verify(payloadOf(body.challenge, guess))).status).toBe(400);
  expect((await verify('')).status).toBe(400);
  expect((await app.get('/api/bot-check/challenge?scope=elsewhere')).status).toBe(422);
  expect((await app.get('/api/bot-check/challenge')).status).toBe(422);
  const missing = await app.post(`/api/public-forms/${acme.slug}/jobs`, {
    ...{ name: 'A', email: 'a@example.com', phone: '0491570156', address: 'B', title: 'C' },
  });
  expect(missing).toMatchObject({ status: 400, body: { status: 'error' } });
  expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': 'nonsense' })).status).toBe(400);
});

test('an input error does not cost the ticket', async () => {
  const ticket = await aTicket(app);
  const wrong = await sendForm(app, acme.slug, { email: 'nobody' }, { 'x-bot-check': ticket });
  expect(wrong.status).toBe(422);
  expect((await sendForm(app, acme.slug, {}, { 'x-bot-check': ticket })).status).toBe(200);
});

test('neither tickets nor solutions are stored in the clear, and none for long', async () => {
  const ticket = await aTicket(app);
  const { rows } = await app.deps.db.query(
    'select t::text from state.bot_check_tickets t union all select s::text from state.bot_check_spent s',
  );
  expect(JSON.stringify(rows)).not.toContain(ticket);
  at += 60 * MINUTE;
  for (let times = 0; times < 3; times += 1) await aTicket(app);
  const left = await app.deps.db.query(
    `select 1 from state.bot_check_tickets where expires_at <= $1
     union all select 1 from state.bot_check_spent where expires_at <= $1`,
    [new Date(at)],
  );
  expect(left.rowCount).toBe(0);
});

async function jobCount(): Promise<number> {
  await app.settle();
  return (await acme.get('/api/jobs/count')).body.count.all;
}
