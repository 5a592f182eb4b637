import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';

const NZBN = '9429000035170';

let api: TestApp;
let acme: SignedIn;
beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn();
});
afterAll(() => api?.close());

const save = (body: object, who = acme) => who.put('/api/settings/profile', body);
const user = async (who = acme) => (await who.get('/api/authenticate')).body.user;
const named = (tradingName: string) => ({ bn: '51824753556', name: 'Acme Plumbing Pty Ltd', tradingName });
const fieldsOf = async (body: object, who = acme) => {
  const answer = await save(body, who);
  expect(answer).toMatchObject({ status: 422, body: { status: 'error' } });
  return answer.body.fields;
};
/** A business of the sandbox register, found as the form finds it. */
const inRegister = async (q: string, r = 'au'): Promise<{ bn: string; name: string }> => {
  const { body } = await acme.get(`/api/registration/bn?r=${r}&q=${encodeURIComponent(q)}`);
  return body.entities[0];
};
const unchanged = async (act: () => Promise<unknown>) => {
  const before = await api.deps.store.head();
  await act();
  expect(await api.deps.store.head()).toBe(before);
};

describe('business details', () => {
  test('are saved together, and answered as they are from now on', async () => {
    const { bn, name } = await inRegister('Banksia');
    const answer = await save({
      bn: { bn: bn.replace(/(..)(...)/, '$1 $2 '), tradingName: ' Acme  Hot Water ' },
      ...{ firstName: ' Aroha ', lastName: 'Tāwhiri', intro: 'Hot water, and nothing else.' },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'ok',
        user: {
          ...{
            firstName: 'Aroha',
            lastName: 'Tāwhiri',
            initials: 'AT',
            intro: 'Hot water, and nothing else.',
          },
          bn: { bn, name, tradingName: 'Acme Hot Water', country: 'au' },
        },
      },
    });
    expect(answer.headers.has('x-read-model')).toBe(false);
    expect(await user()).toEqual(answer.body.user);
  });

  test('have the name that the register gives their number, whatever a browser says', async () => {
    const { bn, name } = await inRegister('Currawong');
    expect((await save({ bn: { bn, name: 'Ute Pty Ltd' } })).body.user.bn).toMatchObject({ bn, name });
    expect((await save({ bn: { bn, name: 'Ute Pty Ltd' } })).body.user.bn).toMatchObject({ bn, name });
  });

  test('have no number that the register does not know, or knows no more', async () => {
    expect(await fieldsOf({ bn: { bn: '51824753556' } })).toEqual({
      'bn.bn': "We couldn't find this company, please try again.",
    });
    const { bn } = await inRegister('Ironbark');
    expect(await fieldsOf({ bn: { bn } })).toEqual({ 'bn.bn': 'This business is not registered any more' });
  });

  test('that lead somewhere are refused', async () => {
    await unchanged(async () => {
      const refusal = 'Use a name without a web or email address in it';
      for (const name of ['Prizes at evil.com', 'evil.top/pay', '1.2.3.4/pay', 'evil。com'])
        expect(await fieldsOf({ bn: named(name) })).toEqual({ 'bn.tradingName': refusal });
      expect(await fieldsOf({ firstName: 'evil.top/pay' })).toEqual({ firstName: refusal });
    });
  });

  test('that are left out stay as they are', async () => {
    const before = await user();
    await save({ firstName: 'Alannah' });
    expect(await user()).toEqual({ ...before, firstName: 'Alannah' });
  });

  test('that say nothing new are no event', async () => {
    const { firstName, lastName, intro, bn } = await user();
    expect(bn).toMatchObject({ country: 'au', registered: true, status: 'Active' });
    await unchanged(async () => {
      expect((await save({ firstName, lastName, intro, bn })).status).toBe(200);
      expect((await save({})).status).toBe(200);
    });
  });

  test('are refused by field, every field at once, and nothing is stored of the rest', async () => {
    const before = await user();
    await unchanged(async () => {
      expect(
        await fieldsOf({ bn: named('  '), firstName: '', lastName: 'X', intro: 'x'.repeat(301) }),
      ).toEqual({
        'bn.tradingName': 'Business name is required',
        firstName: 'First name is required',
        lastName: 'Last name must be at least 3 characters long',
        intro: 'Use at most 300 characters',
      });
      expect(await fieldsOf({ bn: named('Jo'), firstName: 'Jo', lastName: '' })).toEqual({
        'bn.tradingName': 'Business name must be at least 3 characters long',
        firstName: 'First name must be at least 3 characters long',
        lastName: 'Last name is required',
      });
    });
    expect(await user()).toEqual(before);
  });

  test('keep a short name that an account came with', async () => {
    const ng = await api.signIn({ firstName: 'Li', lastName: 'Ng' });
    expect((await save({ firstName: 'Li', lastName: 'Ng', intro: 'New words' }, ng)).status).toBe(200);
    expect(await fieldsOf({ firstName: 'Jo' }, ng)).toMatchObject({ firstName: expect.any(String) });
  });

  test('of "Jo Ng" can be saved whole, and each name changed without the other being judged', async () => {
    const ng = await api.signIn({ firstName: 'Jo', lastName: 'Ng', tradingName: 'Jo' });
    const { firstName, lastName, bn } = await user(ng);
    expect((await save({ firstName, lastName, bn, intro: 'Since 2009' }, ng)).body.user.intro).toBe(
      'Since 2009',
    );
    expect((await save({ firstName: 'Joanna', lastName, bn }, ng)).body.user).toMatchObject({
      ...{ firstName: 'Joanna', lastName: 'Ng' },
    });
    const found = await inRegister('Banksia');
    expect((await save({ bn: { ...bn, bn: found.bn } }, ng)).body.user.bn).toMatchObject({
      ...{ bn: found.bn, name: found.name, tradingName: 'Jo' },
    });
    const account = await ng.put('/api/registration/account', { firstName: 'Josephine', lastName: 'Ng' });
    expect(account).toMatchObject({
      status: 200,
      body: { user: { firstName: 'Josephine', lastName: 'Ng' } },
    });
    expect(await fieldsOf({ lastName: 'Li' }, ng)).toEqual({
      lastName: 'Last name must be at least 3 characters long',
    });
  });

  test('take a number of the business’s own country', async () => {
    const kiwi = await api.signIn({
      region: 'nz',
      bn: NZBN,
      phone: '+64211234599',
    });
    const [abn, nzbn] = [(await inRegister('Wattlebird')).bn, (await inRegister('Limited', 'nz')).bn];
    const no = { au: 'Enter a valid ABN number', nz: 'Enter a valid NZBN number' };
    expect(await fieldsOf({ bn: { bn: nzbn } })).toEqual({ 'bn.bn': no.au });
    expect(await fieldsOf({ bn: { bn: abn } }, kiwi)).toEqual({ 'bn.bn': no.nz });
    expect(await fieldsOf({ bn: { bn: '97004118274' }, firstName: '' })).toMatchObject({
      ...{ 'bn.bn': no.au, firstName: 'First name is required' },
    });
    expect((await save({ bn: { bn: nzbn } }, kiwi)).body.user.bn).toMatchObject({
      bn: nzbn,
      country: 'nz',
    });
  });
});

test('the welcome screen is left once, on every device, and never comes back', async () => {
  const newcomer = await api.signIn();
  const { email, password } = newcomer;
  const phone = await api.post('/api/authenticate/login', { email, password });
  const onPhone = { ...newcomer, ...api.as({ authorization: `Bearer ${phone.body.token}` }) };
  expect((await user(newcomer)).onboarding).toBe(true);
  expect((await save({ onboarding: false }, newcomer)).body.user.onboarding).toBe(false);
  expect((await user(onPhone)).onboarding).toBe(false);
  await unchanged(() => save({ onboarding: false }, newcomer));
  expect((await save({ onboarding: true }, newcomer)).status).toBe(422);
  expect((await user(newcomer)).onboarding).toBe(false);
});

describe('the words about us', () => {
  test('are saved by a call of their own', async () => {
    const intro = '“Blocked drains” & hot water\nsince 1998 🛠';
    const answer = await acme.put('/api/settings/intro', { intro });
    expect(answer).toMatchObject({ status: 200, body: { status: 'ok', details: { intro } } });
    expect((await user()).intro).toBe(intro);
    expect((await acme.put('/api/settings/intro', { intro: '' })).body.details.intro).toBe('');
  });

  test.each([
    ['spaces alone', ' \n\t ', ''],
    ['spaces around them', '\n  Since 1998\n\nin Brunswick  ', 'Since 1998\n\nin Brunswick'],
    ['300 characters and spaces around them', ` ${'x'.repeat(300)}\n`, 'x'.repeat(300)],
  ])('are stored without %s, by either call', async (_name, intro, stored) => {
    await save({ intro: 'Other words' });
    expect((await acme.put('/api/settings/intro', { intro })).body.details).toEqual({ intro: stored });
    await save({ intro: 'Other words' });
    expect((await save({ intro })).body.user.intro).toBe(stored);
    expect((await user()).intro).toBe(stored);
    await unchanged(async () => expect((await save({ intro })).status).toBe(200));
  });

  test.each([
    { intro: 'x'.repeat(301) },
    { intro: 'x'.repeat(5_000) },
    { intro: null },
    {},
    { intro: 'x', slug: 'y' },
  ])('are not %j', async (body) => {
    await unchanged(async () => expect((await acme.put('/api/settings/intro', body)).status).toBe(422));
  });
});

describe('what a browser may not say', () => {
  const owned = {
    ...{
      plan: 'pro',
      type: 'pro',
      email: 'x@y.example',
      phone: '+61400000000',
      slug: 'mine',
      theme: '#C21313',
    },
    ...{
      logo: 'x',
      region: 'nz',
      timeZone: 'UTC',
      businessId: 'b',
      accountId: 'a',
      tenantId: 't',
      token: 't',
    },
    ...{ initials: 'XX', rules: { logo: true }, changedAt: '2020-01-01T00:00:00.000Z', tagline: 'x' },
  };
  test.each(Object.entries(owned))('%s', async (field, value) => {
    const before = await user();
    await unchanged(async () => {
      expect((await save({ firstName: 'Davina', [field]: value })).status).toBe(422);
      expect((await save({ bn: { ...named('Acme'), [field]: value } })).status).toBe(422);
    });
    expect(await user()).toEqual(before);
  });

  test('anything without a session', async () => {
    const signedOut = { ...acme, ...api.as({}) };
    expect((await save({ firstName: 'Davina' }, signedOut)).status).toBe(403);
    expect((await signedOut.put('/api/settings/intro', { intro: 'x' })).status).toBe(403);
  });
});

test('the profile tells the plan and what it may do', async () => {
  const pro = await api.signIn({ plan: 'pro' });
  expect(await user()).toMatchObject({
    type: 'starter',
    logo: null,
    rules: { logo: false, reviews: false },
  });
  expect(await user(pro)).toMatchObject({ type: 'pro', logo: null, rules: { logo: true, reviews: true } });
});
