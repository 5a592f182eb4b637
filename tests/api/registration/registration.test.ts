import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Answer } from '#tests/support/app/api-client.ts';
import {
  answerSteps,
  aRegistrant,
  begin,
  choosePassword,
  codeSentTo,
  readyToComplete,
} from '#tests/support/scenarios/registrations.ts';

let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api?.close());

const TRADIES = '/api/registration/tradies';

describe.each([
  ['au', 'Australia/Hobart', 'Plumbers, Hobart TAS', 'plus'],
  ['nz', 'Pacific/Auckland', 'Cleaners, Christchurch', 2],
] as const)('an applicant in %s', (region, timeZone, tagline, plan) => {
  test('registers page by page, and is signed in with a business of their own', async () => {
    const who = aRegistrant({ region });
    const client = await begin(api, plan);
    await answerSteps(client, who);
    const sent = await client.post('/api/registration/sms/send');
    expect(sent.body).toMatchObject({ phone: who.phone, resendAfter: 60, expiresIn: 600, codesLeft: 4 });
    const code = await codeSentTo(api, who.phone);
    expect((await client.post('/api/registration/sms/verify', { code })).body.phone).toBe(who.phone);
    expect((await client.put(TRADIES, { step: 5 })).status).toBe(200);
    const last = await choosePassword(client, who);
    expect(last.body.registration).toMatchObject({
      ...{ step: 6, type: region === 'au' ? 'plus' : 'pro', complete: false, region },
      verify: { emailVerified: true, phoneVerified: true, passwordSet: true, terms: true },
    });

    const done = await client.post('/api/registration');
    expect(done.status).toBe(200);
    expect(done.body.user).toMatchObject({
      ...{ email: who.email, phone: who.phone, firstName: 'Robin', lastName: 'Fenwickton' },
      ...{ onboarding: true, region, timeZone, type: region === 'au' ? 'plus' : 'pro' },
      bn: { bn: who.bn, tradingName: who.tradingName, country: region },
    });
    const signedIn = api.as({ authorization: `Bearer ${done.body.token}` });
    await api.settle();
    const { slug } = (await signedIn.get('/api/authenticate')).body.user;
    const form = await api.get(`/api/public-forms/${slug}`);
    expect(form.body.form).toMatchObject({ name: who.tradingName, tagline });
    const { email, password } = who;
    expect((await api.post('/api/authenticate/login', { email, password })).status).toBe(200);
  });
});

test('a draft goes on where it was, wherever its secret is', async () => {
  const who = aRegistrant();
  const client = await begin(api, 'pro');
  await answerSteps(client, who);
  const { body } = await api.as({ 'x-rid': client.rid }).get(TRADIES);
  expect(body.rid).toBe(client.rid);
  expect(body.registration).toMatchObject({
    ...{ rid: client.rid, step: 4, type: 'pro', region: 'au', trades: [who.trade] },
    entity: { bn: who.bn, name: 'Banksia Plumbing Pty Ltd', tradingName: who.tradingName, postcode: '3056' },
    user: { firstName: 'Robin', lastName: 'Fenwickton' },
    location: who.location,
    verify: {
      email: who.email,
      emailVerified: true,
      phone: who.phone,
      phoneVerified: false,
      passwordSet: false,
    },
  });
});

test('a draft begins in the middle of the map with nothing chosen', async () => {
  const client = await begin(api);
  const { body } = await client.get(TRADIES);
  expect(body.registration).toEqual({
    ...{ rid: client.rid, step: 0, type: 'starter', complete: false, region: null },
    ...{ trades: [], specialties: [], entity: null, user: { firstName: '', lastName: '' } },
    location: { lat: -26, lng: 135, radius: 15_000, zoom: 10 },
    verify: {
      ...{ email: '', emailVerified: false, phone: '', phoneVerified: false },
      ...{ showPhone: false, passwordSet: false, subscribe: false, terms: false },
    },
  });
});

test.each([true, false])(
  'the mobile is on the public page from the start where that was wanted: %s',
  async (showPhone) => {
    const who = aRegistrant();
    const client = await begin(api);
    await answerSteps(client, who);
    const shown = (answer: Answer) => answer.body.registration.verify.showPhone;
    expect(shown(await client.put(TRADIES, { step: 3, verify: { showPhone } }))).toBe(showPhone);
    expect(shown(await client.put(TRADIES, { step: 4, verify: { email: who.email } }))).toBe(showPhone);
    await client.post('/api/registration/sms/send');
    await client.post('/api/registration/sms/verify', { code: await codeSentTo(api, who.phone) });
    await choosePassword(client, who);
    const { body } = await client.post('/api/registration');
    const signedIn = api.as({ authorization: `Bearer ${body.token}` });
    expect((await signedIn.get('/api/settings/contact')).body.contact).toMatchObject({
      ...{ phone: who.phone, showPhone, showEmail: false },
    });
    await api.settle();
    const { form } = (await api.get(`/api/public-forms/${body.user.slug}`)).body;
    expect(form.contact).toEqual({ email: null, phone: showPhone ? who.phone : null });
  },
);

test('completed twice under one key it is one account, and its secret opens nothing any more', async () => {
  const { client, who } = await readyToComplete(api);
  const key = { 'idempotency-key': crypto.randomUUID() };
  const [one, two] = await Promise.all([
    client.post('/api/registration', undefined, key),
    client.post('/api/registration', undefined, key),
  ]);
  const again = await client.post('/api/registration', undefined, key);
  for (const answer of [one, two, again]) {
    expect(answer.status).toBe(200);
    expect(answer.body.user.email).toBe(who.email);
  }
  const stolen = api.as({ 'x-rid': client.rid });
  for (const answer of [
    await stolen.get(TRADIES),
    await stolen.put(TRADIES, { step: 0 }),
    await stolen.post('/api/registration'),
    await stolen.post('/api/registration', undefined, { 'idempotency-key': crypto.randomUUID() }),
    await stolen.post('/api/registration/sms/send'),
    await api.as({ 'x-rid': 'x'.repeat(43) }).get(TRADIES),
    await api.get(TRADIES),
  ]) {
    expect(answer).toMatchObject({
      ...{ status: 404, body: { message: 'This registration was not found, please start again' } },
    });
  }
  expect((await stolen.get('/api/registration/bn?q=banksia')).status).toBe(401);
});

test('the last answers may come along with the completion', async () => {
  const who = aRegistrant();
  const client = await begin(api);
  await answerSteps(client, who);
  await client.post('/api/registration/sms/send');
  await client.post('/api/registration/sms/verify', { code: await codeSentTo(api, who.phone) });
  const early = await client.post('/api/registration', { verify: { password: who.password } });
  expect(early).toMatchObject({ status: 409, body: { step: 5 } });
  const { status, body } = await client.post('/api/registration', {
    verify: { terms: true, subscribe: false },
  });
  expect(status).toBe(200);
  const signedIn = api.as({ authorization: `Bearer ${body.token}` });
  const settings = (await signedIn.get('/api/settings/notifications')).body;
  expect(settings.notifications).toMatchObject({ newsletter: false, productUpdates: true });
});
