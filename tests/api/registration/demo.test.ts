import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import type { DemoRequest } from '#core/demo/decider.ts';
import { testApp } from '#tests/support/app/api.ts';
import { apiClient, type Client } from '#tests/support/app/api-client.ts';
import { type MessageApp, messageApp, sentMail } from '#tests/support/app/messages.ts';
import { aTicket } from '#tests/support/scenarios/job-requests.ts';

const PATH = '/api/registration/demo';
const SALES = 'sales@ute.example';
let app: MessageApp;
let email: string;
let count = 0;
beforeAll(async () => {
  app = await messageApp({ env: { SALES_EMAIL: SALES } });
});
beforeEach(() => {
  count += 1;
  email = `prospect${count}@tawhiri.example`;
});
afterAll(() => app.close());

const asked = (changes: Partial<DemoRequest> = {}): DemoRequest => ({
  ...{ name: 'Aroha Tāwhiri', businessName: `Tāwhiri Plumbing ${count}`, phone: '021 555 0123', email },
  ...{ reachTime: 'lunch', ...changes },
});
async function book(changes = {}, headers: Record<string, string> = {}, client: Client = app) {
  const ticket = headers['x-bot-check'] ?? (await aTicket(client, 'demo'));
  return client.post(PATH, asked(changes), { 'x-bot-check': ticket, ...headers });
}
async function mailTo(address: string) {
  await app.settle();
  return sentMail(app, address);
}
const toSales = async () => (await mailTo(SALES)).filter(({ replyTo }) => replyTo === email);

test('sales hear who wants a demo and may answer them; the answer to the page repeats nothing', async () => {
  const answer = await book();
  expect(answer.body).toEqual({ status: 'ok', details: { reachTime: 'lunch' } });
  const [mail, ...others] = await toSales();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe('Ute demo: someone wants to see it');
  for (const word of ['Aroha Tāwhiri', `Tāwhiri Plumbing ${count}`, '021 555 0123', email, 'Lunch'])
    expect(mail?.text).toContain(word);
});

test('the prospect has a confirmation with none of what was typed', async () => {
  const markers = { name: 'Marker http://evil.example', businessName: `Marker pills ${count}` };
  await book(markers);
  const [confirmation, ...others] = await mailTo(email);
  expect(others).toEqual([]);
  expect(confirmation?.text).toContain('Lunch');
  expect(JSON.stringify(confirmation)).not.toMatch(/Marker|evil|21 ?555 ?0123/);
});

test('what is personal stands in the log sealed, and in the outbox not at all', async () => {
  await book();
  await mailTo(email);
  const kept = await app.deps.db.query<{ kept: string }>(
    `select data::text as kept from event_store.events where type = 'DemoRequested'
     union all select data::text from state.outbox where kind like 'demo-%'`,
  );
  expect(kept.rows.length).toBeGreaterThan(0);
  for (const row of kept.rows) expect(row.kept).not.toMatch(/Aroha|Tāwhiri|tawhiri|21 ?555 ?0123/);
});

test('the same request under its key is one demo, however often it is sent', async () => {
  const headers = { 'idempotency-key': crypto.randomUUID(), 'x-bot-check': await aTicket(app, 'demo') };
  const answers = await Promise.all([book({}, headers), book({}, headers), book({}, headers)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await toSales()).toHaveLength(1);
  expect(await mailTo(email)).toHaveLength(1);
  expect((await book({ name: 'Somebody Else' }, headers)).status).toBe(422);
});

test('each message that is wrong stands beside its field', async () => {
  const { status, body } = await book({ name: ' ', phone: '12', email: 'x', reachTime: 'never' });
  expect(status).toBe(422);
  expect(body.fields).toEqual({
    name: 'Full name is required',
    phone: 'Enter an Australian or New Zealand mobile number',
    email: 'Enter a valid email address',
    reachTime: 'Choose when we may reach you',
  });
  expect((await book({ demoId: 'mine' })).status).toBe(422);
});

test('a ticket is needed, of this operation, and counts once', async () => {
  expect((await app.post(PATH, asked())).status).toBe(400);
  const other = { 'x-bot-check': await aTicket(app, 'public-form') };
  expect((await book({}, other)).status).toBe(400);
  const once = { 'x-bot-check': await aTicket(app, 'demo') };
  expect((await book({ phone: 'no' }, once)).status).toBe(422);
  expect((await book({}, once)).status).toBe(200);
  expect((await book({}, once)).status).toBe(400);
});

test('a script that fills in the trap is thanked, and no message is sent', async () => {
  expect((await app.post(PATH, asked({ website: 'http://spam.example' }))).status).toBe(200);
  expect(await toSales()).toEqual([]);
});

test('one address is stopped after ten tries', async () => {
  const limited = await testApp({ env: { RATE_LIMITS: 'on' } });
  try {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await book({}, {}, limited)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
  } finally {
    await limited.close();
  }
});

test('where no address of sales is configured, no demo can be booked', async () => {
  const config = { ...app.deps.config, salesEmail: null };
  const unconfigured = apiClient(createApp({ ...app.deps, config }));
  const { status, body } = await book({}, {}, unconfigured);
  expect(status).toBe(409);
  expect(body.message).toBe('Demos cannot be booked here at the moment');
});
