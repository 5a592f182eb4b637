import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '#api/http/log.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import type { Telemetry } from '#api/runtime/telemetry/port.ts';
import { openTelemetry } from '#api/runtime/telemetry/telemetry.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Client } from '#tests/support/app/api-client.ts';
import { testConfig } from '#tests/support/app/fixtures.ts';
import {
  codeSentTo,
  deliver,
  linkIn,
  sentMail,
  testDelivery,
  tokenSentTo,
} from '#tests/support/app/messages.ts';
import { copyOut, findMarkers, type Markers } from '#tests/support/scenarios/erasing.ts';
import { aTicket, sendForm } from '#tests/support/scenarios/job-requests.ts';
import {
  answerSteps,
  aRegistrant,
  begin,
  changeEmail,
  changePhone,
  readyToComplete,
  codeSentTo as registrationCodeSentTo,
} from '#tests/support/scenarios/registrations.ts';
import { startCollector } from '#tests/support/servers/collector.ts';

const HOUR = 3_600_000;
/** What is begun and never finished is stored for a while too. */
const unfinished = {
  'a draft’s email': 'marker.draft@registrant.example',
  'a draft’s mobile': '+61491571104',
  'a waiting email': 'marker.waiting@registrant.example',
} as const;
const serviceKey = 'marker-service-key-of-the-product';
const passwords = {
  'the first password': 'Marker#Password-one-1',
  'the password set anew': 'Marker#Password-two-2',
  'the changed password': 'Marker#Password-three-3',
  'a wrong password': 'Marker#Password-wrong-4',
} as const;
const [first, anew, changed, wrong] = Object.values(passwords) as [string, string, string, string];

const tradie = {
  'the tradie’s email': 'marker.tradie@registrant.example',
  'the tradie’s mobile': '+61491571101',
  'the tradie’s new email': 'marker.other@registrant.example',
  'the tradie’s new mobile': '+61491571102',
  'the tradie’s name': 'Fenwickton',
  'where the tradie lives': '42.881237',
} as const;
const customer = {
  'the customer’s name': 'Kanariana Tūī',
  'the customer’s email': 'marker.customer@mail.example',
  'the customer’s mobile': '+61491571103',
  'the customer’s address': '77 Marker Parade, Brunswick VIC 3056',
  'what the customer wants': 'Markerwise dripping mixer',
  'what the customer says': 'The markeresque tap will not close.',
  'the tradie’s notes': 'Gate code is markerfold',
} as const;
const personal: Markers = { ...tradie, ...customer, ...unfinished };

let app: TestApp;
let telemetry: Telemetry | undefined;
const collector = startCollector();
let ahead = 0;
const lines: string[] = [];
const secrets: Record<string, string> = { ...passwords, 'the service key': serviceKey };

beforeAll(async () => {
  const { telemetry: settings } = testConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  telemetry = await openTelemetry(settings, { role: 'all', logger: createLogger('silent') });
  app = await testApp({
    processes: true,
    ...(telemetry ? { telemetry } : {}),
    env: { SERVICE_KEY: serviceKey, RATE_LIMITS: 'on' },
    now: () => new Date(Date.now() + ahead),
    log: (line) => lines.push(line),
  });
  for (const [name, key] of Object.entries(app.deps.config.keys)) {
    secrets[`the ${name} key`] = key.toString('hex');
  }
}, 60_000);
afterAll(async () => {
  await app?.close();
  await collector.stop();
});

async function well(answering: ReturnType<Client['get']>): Promise<any> {
  const { status, text, body } = await answering;
  expect(status, text).toBe(200);
  return body;
}

const signedIn = (token: string) => app.as({ authorization: `Bearer ${token}` });

async function register(): Promise<string> {
  const email = tradie['the tradie’s email'];
  const phone = tradie['the tradie’s mobile'];
  const location = { lat: -42.881237, lng: 147.331237, radius: 20_000, zoom: 11 };
  const { client } = await readyToComplete(app, { email, phone, password: first, location });
  secrets['the registration’s secret'] = client.rid;
  secrets['the mobile’s code'] = await registrationCodeSentTo(app, phone);
  const { token } = await well(client.post('/api/registration'));
  await app.settle();
  return token;
}

async function logIn(email: string, password: string): Promise<string> {
  const { token } = await well(app.post('/api/authenticate/login', { email, password }));
  return token;
}

async function setPasswordsAnew(): Promise<string> {
  const email = tradie['the tradie’s email'];
  expect((await app.post('/api/authenticate/login', { email, password: wrong })).status).toBe(401);
  await well(app.post('/api/authenticate/forgot-password', { email }));
  const token = await tokenSentTo(app, email);
  secrets['the reset token'] = token;
  await well(
    app.post('/api/authenticate/reset-password', { token, newPassword: anew, confirmPassword: anew }),
  );
  const bearer = await logIn(email, anew);
  secrets['a bearer token'] = bearer;
  const change = { currentPassword: anew, newPassword: changed, confirmPassword: changed };
  await well(signedIn(bearer).put('/api/authenticate/security', change));
  return bearer;
}

async function changeContact(bearer: string): Promise<void> {
  const person = { ...signedIn(bearer), password: changed };
  await well(changeEmail(person, tradie['the tradie’s new email']));
  const token = await tokenSentTo(app, tradie['the tradie’s new email']);
  secrets['the email’s token'] = token;
  await well(app.post('/api/authenticate/email/confirm', { token }));
  await well(changePhone(person, tradie['the tradie’s new mobile']));
  const code = await codeSentTo(app, tradie['the tradie’s new mobile']);
  secrets['the new mobile’s code'] = code;
  await well(person.post('/api/authenticate/phone/confirm', { code }));
  await app.settle();
}

async function beginWithoutEnd(bearer: string): Promise<void> {
  const draft = await begin(app);
  secrets['the draft’s secret'] = draft.rid;
  const { 'a draft’s email': email, 'a draft’s mobile': phone } = unfinished;
  await answerSteps(draft, aRegistrant({ email, phone }));
  await well(draft.post('/api/registration/sms/send'));
  secrets['the draft’s code'] = await registrationCodeSentTo(app, phone);
  const person = { ...signedIn(bearer), password: changed };
  await well(changeEmail(person, unfinished['a waiting email']));
  await deliver(app);
}

async function requestJob(slug: string): Promise<void> {
  const ticket = await aTicket(app);
  secrets['a bot check’s ticket'] = ticket;
  const request = {
    name: customer['the customer’s name'],
    email: customer['the customer’s email'],
    phone: customer['the customer’s mobile'],
    address: customer['the customer’s address'],
    title: customer['what the customer wants'],
    description: customer['what the customer says'],
  };
  await well(sendForm(app, slug, request, { 'x-bot-check': ticket }));
  await app.settle();
}

/** A provider whose failures say whom and what they are about. */
async function failToDeliver(): Promise<void> {
  const fail = async (message: object) => {
    throw new Error(`550 ${JSON.stringify(message)}`);
  };
  await deliverDue(
    testDelivery(app, { mail: { name: 'talkative', send: fail }, sms: { name: 'talkative', send: fail } }),
  );
  ahead += HOUR;
}

async function answerByLinks(): Promise<void> {
  const toTradie = await sentMail(app, tradie['the tradie’s new email']);
  const alert = toTradie.find(({ text }) => text.includes('/answer/')) ?? { text: '' };
  const reference = /Reference: (\S+)/.exec(alert.text)?.[1] ?? 'none';
  const receipts = await sentMail(app, customer['the customer’s email']);
  const other = receipts.find(({ text }) => text.includes('/not-needed/') && !text.includes(reference));
  const [answer, notNeeded] = [linkIn(alert), linkIn(other ?? { text: '' })];
  secrets['an answer’s token'] = answer.split('/').at(-1) ?? '';
  secrets['a not-needed token'] = notNeeded.split('/').at(-1) ?? '';
  await well(app.get(`/api${answer.replace('/answer/', '/answers/')}`));
  await well(app.post(`/api${answer.replace('/answer/', '/answers/')}`, { answer: 'accept' }));
  await well(app.post(`/api${notNeeded}`));
  await app.settle();
}

async function work(bearer: string): Promise<void> {
  const client = signedIn(bearer);
  const { jobs } = await well(client.get(`/api/jobs?search=${encodeURIComponent('Kanariana')}`));
  const job = jobs.find(({ status }: { status: string }) => status === 'To quote');
  await well(client.put(`/api/jobs/${job.id}`, { notes: customer['the tradie’s notes'] }));
  await well(client.get(`/api/jobs/${job.id}/history`));
  await well(client.post('/api/authenticate/logout'));
}

test('after every flow no secret is anywhere, and personal data are in read models alone', async () => {
  const registered = await register();
  secrets['the first bearer token'] = registered;
  const { user } = await well(signedIn(registered).get('/api/authenticate'));
  const bearer = await setPasswordsAnew();
  await changeContact(bearer);
  await beginWithoutEnd(bearer);
  await requestJob(user.slug);
  await requestJob(user.slug);
  await failToDeliver();
  await answerByLinks();
  ahead += HOUR;
  await deliver(app);
  await work(bearer);
  await app.settle();
  await deliver(app);

  await telemetry?.stop();

  const tables = await copyOut(app.everyRow);
  const bytes = collector.received.map(({ body }) => body.toString('latin1')).join('\n');
  const log = { 'the log': lines.join('\n'), 'what is exported': bytes };
  expect(findMarkers({ ...tables, ...log }, secrets)).toEqual([]);
  const isReadModel = ([table]: [string, string]) => table.startsWith('read.');
  const readModels = Object.fromEntries(Object.entries(tables).filter(isReadModel));
  const elsewhere = Object.fromEntries(Object.entries(tables).filter((table) => !isReadModel(table)));
  expect(
    findMarkers({ ...elsewhere, ...log }, { ...personal, 'the address of the page': user.slug }),
  ).toEqual([]);

  // The markers are really there: read models show what people wrote, and the outbox has sent something of every kind.
  expect(findMarkers({ 'read models': Object.values(readModels).join('\n') }, customer)).toHaveLength(
    Object.keys(customer).length,
  );
  expect(elsewhere['event_store.events']).toContain('JobRequested');
  expect(bytes).toContain('JobRequested');
  const { rows } = await app.deps.db.query<{ kind: string }>(
    `select distinct kind from state.outbox where delivery_status = 'sent' order by kind`,
  );
  expect(rows.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining([
      'sms-code',
      'password-reset',
      'new-job-mail',
      'request-receipt',
      'request-accepted',
    ]),
  );
}, 120_000);
