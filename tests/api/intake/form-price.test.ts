import { describe, expect, test } from 'vitest';
import { countFormRequest } from '#api/intake/public-form/intake-limits.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { payloadOf, solve } from '#tests/support/app/api-client.ts';
import { aTicket, postForm, sendForm } from '#tests/support/scenarios/job-requests.ts';
import { limitedForms, MINUTE } from '#tests/support/scenarios/limited-forms.ts';

const forms = limitedForms();
const { from, post } = forms;

describe('in a rush of requests', () => {
  const challenge = async (query: string) =>
    (await forms.app.get(`/api/bot-check/challenge?scope=public-form${query}`)).body.challenge;
  const costOf = async (slug: string) => (await challenge(`&form=${slug}`)).parameters.cost;

  test('the bot check of that business costs more, in steps up to four times, and of no other', async () => {
    const other = await forms.app.signIn();
    const costs = [await costOf(forms.acme.slug)];
    for (const requests of [29, 1, 30, 60, 500]) {
      for (let n = 0; n < requests; n += 1)
        await countFormRequest(forms.app.deps.db, forms.acme.businessId, forms.now());
      costs.push(await costOf(forms.acme.slug));
    }
    expect(costs).toEqual([1, 1, 2, 3, 4, 4]);
    expect(await costOf(other.slug)).toBe(1);
    forms.pass(11 * MINUTE);
    expect(await costOf(forms.acme.slug)).toBe(1);
    expect(await costOf('none-of-ours')).toBe(1);
  });

  test('refused requests count, and a ticket that cost too little is to be earned anew', async () => {
    const cheap = { 'x-bot-check': await aTicket(forms.app) };
    for (let n = 0; n < 60; n += 1) await postForm(from(`10.9.${n}.1`), forms.acme.slug);
    const refused = await sendForm(from('203.0.113.30'), forms.acme.slug, {}, cheap);
    expect(refused).toMatchObject({
      status: 400,
      body: { botCheck: { scope: 'public-form', price: 3 }, message: expect.stringContaining('person') },
    });
    const dear = { 'x-bot-check': await dearTicket(forms.app, 3) };
    expect((await sendForm(from('203.0.113.30'), forms.acme.slug, {}, dear)).status).toBe(200);
    expect((await forms.app.get('/api/bot-check/challenge?scope=public-form&price=5')).status).toBe(422);
  });

  describe('the price is not raised by', () => {
    const rise = async (requests: number) => {
      for (let n = 0; n < requests; n += 1)
        await countFormRequest(forms.app.deps.db, forms.acme.businessId, forms.now());
    };

    test('posts with an invented ticket', async () => {
      for (let n = 0; n < 31; n += 1) {
        const { status } = await sendForm(from(`10.20.${n}.1`), forms.acme.slug, {}, { 'x-bot-check': 'x' });
        expect(status).toBe(400);
      }
      expect(await costOf(forms.acme.slug)).toBe(1);
    });

    test('one ticket that cost too little, however often it is sent', async () => {
      await rise(30);
      const cheap = { 'x-bot-check': await aTicket(forms.app) };
      for (let n = 0; n < 31; n += 1) {
        expect((await sendForm(from(`10.21.${n}.1`), forms.acme.slug, {}, cheap)).status).toBe(400);
      }
      expect(await costOf(forms.acme.slug)).toBe(2);
      await rise(28);
      expect(await costOf(forms.acme.slug)).toBe(2);
      await rise(1);
      expect(await costOf(forms.acme.slug)).toBe(3);
    });

    test('the same request once more', async () => {
      await rise(29);
      for (let n = 0; n < 3; n += 1) expect((await post('203.0.113.40', 'once-more')).status).toBe(200);
      expect(await costOf(forms.acme.slug)).toBe(2);
      await rise(29);
      expect(await costOf(forms.acme.slug)).toBe(2);
    });

    test('what a single source sends without a check beyond its limit', async () => {
      await rise(27);
      for (let n = 0; n < 10; n += 1) await postForm(from('203.0.113.41'), forms.acme.slug);
      expect(await costOf(forms.acme.slug)).toBe(2);
      await rise(29);
      expect(await costOf(forms.acme.slug)).toBe(2);
    });
  });
});

test('a form that is sent faster than a person reads is refused, and its ticket stays good', async () => {
  const quick = await testApp({
    now: forms.now,
    env: { RATE_LIMITS: 'on', FORM_LEAST_SECONDS: '3' },
  });
  const { slug } = await quick.signIn();
  const headers = { 'x-bot-check': await aTicket(quick) };
  forms.pass(2_999);
  const refused = await sendForm(quick, slug, {}, headers);
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'That was very quick: please check what you entered and send it again',
  ]);
  forms.pass(1);
  expect((await sendForm(quick, slug, {}, headers)).status).toBe(200);
  await quick.close();
});

test('a ticket that is earned anew because the price rose is not too quick', async () => {
  const quick = await testApp({
    now: forms.now,
    env: { RATE_LIMITS: 'on', FORM_LEAST_SECONDS: '3' },
  });
  const { slug, businessId } = await quick.signIn();
  const cheap = { 'x-bot-check': await aTicket(quick) };
  forms.pass(10_000);
  for (let n = 0; n < 30; n += 1) await countFormRequest(quick.deps.db, businessId, forms.now());
  const { price } = (await sendForm(quick, slug, {}, cheap)).body.botCheck;
  expect(price).toBe(2);
  const headers = { 'x-bot-check': await dearTicket(quick, price) };
  expect((await sendForm(quick, slug, {}, headers)).status).toBe(200);
  await quick.close();
});

async function dearTicket(client: TestApp, price: number): Promise<string> {
  const { challenge } = (await client.get(`/api/bot-check/challenge?scope=public-form&price=${price}`)).body;
  const payload = payloadOf(challenge, await solve(challenge));
  return (await client.post('/api/bot-check/verify', { scope: 'public-form', payload })).body.ticket;
}
