import fc from 'fast-check';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { sandboxEntities } from '#api/providers/business-register/sandbox-entities.ts';
import { registrationIdOf } from '#api/registration/load-registration.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { trades } from '#core/values/trade-catalogue.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient, type Client } from '#tests/support/app/api-client.ts';
import {
  answerSteps,
  aRegistrant,
  begin,
  choosePassword,
  codeSentTo,
  readyToComplete,
  storedDraft,
} from '#tests/support/scenarios/registrations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app?.close());

describe('registration', () => {
  let api: TestApp;
  beforeAll(() => {
    api = app;
  });

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
      entity: {
        bn: who.bn,
        name: 'Banksia Plumbing Pty Ltd',
        tradingName: who.tradingName,
        postcode: '3056',
      },
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
        ...{ passwordSet: false, subscribe: false, terms: false },
      },
    });
  });

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
});

describe('registration drafts', () => {
  let api: TestApp;
  beforeAll(() => {
    api = app;
  });

  const TRADIES = '/api/registration/tradies';

  async function typesOf(rid: string): Promise<string[]> {
    const events = await api.deps.store.readStream(`registration-${registrationIdOf(rid)}`);
    return events.map(({ type }) => type);
  }

  async function rowOf(rid: string) {
    const { rows } = await api.everyRow.query<{ draft: Buffer | null; revision: number }>(
      'select draft, draft_revision as revision from state.registrations where registration_id = $1',
      [registrationIdOf(rid)],
    );
    return rows[0];
  }

  /** The API with a log that refuses so many appends. */
  function failingLog(appends: number) {
    let left = appends;
    const { store } = api.deps;
    return createApp({
      ...api.deps,
      store: {
        ...store,
        append: (...args) => {
          left -= 1;
          return left < 0 ? store.append(...args) : Promise.reject(new Error('killed'));
        },
      },
    });
  }

  describe('the log tells the milestones of a registration', () => {
    test('each once, in the order of the wizard', async () => {
      const { client } = await readyToComplete(api);
      expect(await typesOf(client.rid)).toEqual([
        'RegistrationStarted',
        'RegistrationRegionChosen',
        'RegistrationTradesChosen',
        'RegistrationBusinessIdentified',
        'RegistrationAreaSet',
        'RegistrationEmailVerified',
        'RegistrationPhoneVerified',
        'RegistrationPasswordChosen',
        'RegistrationTermsAccepted',
      ]);
      expect((await client.post('/api/registration')).status).toBe(200);
      expect((await typesOf(client.rid)).at(-1)).toBe('RegistrationCompleted');
    });

    test('and nothing of what is half typed, or of Back and Next', async () => {
      const client = await begin(api);
      const half = { verify: { email: 'sam@', phone: '04' }, entity: { tradingName: 'Half a' } };
      const answer = await client.put(TRADIES, { step: 1, ...half });
      expect(answer.body.registration.verify).toMatchObject({ email: 'sam@', phone: '04' });
      await client.put(TRADIES, { step: 0 });
      expect((await client.get(TRADIES)).body.registration).toMatchObject({ step: 0, verify: half.verify });
      expect(await typesOf(client.rid)).toEqual(['RegistrationStarted']);
    });
  });

  describe('a draft in its table', () => {
    test('is sealed under its own key, and opens for no other draft', async () => {
      const one = await begin(api);
      const two = await begin(api);
      await answerSteps(one, aRegistrant());
      await answerSteps(two, aRegistrant());
      const row = await rowOf(one.rid);
      expect(row?.draft?.toString('latin1')).not.toMatch(/Fenwickton|plumbing/);
      await api.everyRow.query('update state.registrations set draft = $2 where registration_id = $1', [
        ...[registrationIdOf(two.rid), row?.draft],
      ]);
      expect((await two.get(TRADIES)).status).toBe(500);
      expect((await one.get(TRADIES)).status).toBe(200);
    });

    test('is gone once it is completed', async () => {
      const { client } = await storedDraft(api);
      expect((await rowOf(client.rid))?.draft).not.toBeNull();
      expect((await client.post('/api/registration')).status).toBe(200);
      expect((await rowOf(client.rid))?.draft).toBeNull();
    });

    test('is unknown once its person is erased', async () => {
      const { client, registrationId } = await storedDraft(api);
      expect((await client.get(TRADIES)).status).toBe(200);
      const { db, config } = api.deps;
      await api.deps.subjectKeys.destroy(`registration-${registrationId}`);
      expect((await client.get(TRADIES)).status).toBe(404);
      expect((await client.put(TRADIES, { step: 0 })).status).toBe(404);
      expect((await client.post('/api/registration')).status).toBe(404);
      const anew = createSubjectKeys({ pool: db, dataKey: config.keys.data });
      expect(await anew.find([`registration-${registrationId}`])).toEqual(
        new Map([[`registration-${registrationId}`, 'destroyed']]),
      );
    });
  });

  describe('two browsers with one draft', () => {
    test('change different answers at once, and each change is there', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { client, who } = await storedDraft(api);
        const answers = await Promise.all([
          client.put(TRADIES, { user: { firstName: 'Samira' } }),
          client.put(TRADIES, { location: { ...who.location, radius: 5_000 } }),
          client.put(TRADIES, { verify: { subscribe: false } }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect((await client.get(TRADIES)).body.registration).toMatchObject({
          user: { firstName: 'Samira', lastName: 'Fenwickton' },
          location: { radius: 5_000 },
          verify: { subscribe: false, emailVerified: true, phoneVerified: true },
        });
        expect((await client.post('/api/registration')).status).toBe(200);
      }
    });

    test('change it while it is completed: what is completed is one of the two drafts, and the log says which', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { client, registrationId } = await storedDraft(api);
        const [saved, completed] = await Promise.all([
          client.put(TRADIES, { user: { firstName: 'Samira' } }),
          client.post('/api/registration'),
        ]);
        expect([200, 404]).toContain(saved.status);
        expect([200, 409]).toContain(completed.status);
        if (completed.status === 409) expect((await client.post('/api/registration')).status).toBe(200);
        const events = await api.deps.store.readStream(`registration-${registrationId}`);
        const last = events.at(-1)?.event;
        if (last?.type !== 'RegistrationCompleted') throw new Error('it was not completed');
        if (saved.status === 200) expect(last.data.firstName).toBe('Samira');
        expect(events.filter(({ type }) => type === 'RegistrationCompleted')).toHaveLength(1);
      }
    });
  });

  describe('a change that is no milestone, made while another browser completes the draft,', () => {
    test('is not lost: the completion sees it', async () => {
      const { client, registrationId } = await storedDraft(api);
      const takeBack = () => client.put(TRADIES, { verify: { terms: false } });
      const completing = apiClient(createApp({ ...api.deps, db: atPassword(takeBack) }), {
        'x-rid': client.rid,
      });
      expect(await completing.post('/api/registration')).toMatchObject({ status: 409 });
      expect((await client.get(TRADIES)).body.registration.verify.terms).toBe(false);
      const events = await api.deps.store.readStream(`registration-${registrationId}`);
      expect(events.map(({ type }) => type)).not.toContain('RegistrationCompleted');
      expect((await client.post('/api/registration')).status).toBe(409);
      expect((await client.put(TRADIES, { verify: { terms: true } })).status).toBe(200);
      expect((await client.post('/api/registration')).status).toBe(200);
    });

    test('and another completion meanwhile is answered with the same account', async () => {
      const { client, who } = await storedDraft(api);
      const meanwhile = () => client.post('/api/registration');
      const completing = apiClient(createApp({ ...api.deps, db: atPassword(meanwhile) }), {
        'x-rid': client.rid,
      });
      const { status, body } = await completing.post('/api/registration');
      expect([status, body.user.email]).toEqual([200, who.email]);
    });

    /** The database, with one change made when a completion first asks for the password: after it loaded the draft. */
    function atPassword(change: () => Promise<{ status: number }>): Pool {
      let isDue = true;
      return new Proxy(api.deps.db, {
        get(pool, name) {
          const value = Reflect.get(pool, name);
          if (name !== 'query') return typeof value === 'function' ? value.bind(pool) : value;
          return async (...args: Parameters<Pool['query']>) => {
            if (isDue && String(args[0]).includes('from state.pending_credentials')) {
              isDue = false;
              expect((await change()).status).toBe(200);
            }
            return pool.query(...args);
          };
        },
      });
    }
  });

  describe('a process that ended between a draft and its milestones', () => {
    test('left the answers, and the next save records them', async () => {
      const { rid, ...client } = await begin(api);
      const dying = apiClient(failingLog(1), { 'x-rid': rid });
      expect((await dying.put(TRADIES, { step: 1, region: 'nz' })).status).toBe(500);
      expect((await client.get(TRADIES)).body.registration).toMatchObject({ step: 1, region: 'nz' });
      expect(await typesOf(rid)).toEqual(['RegistrationStarted']);
      expect((await client.put(TRADIES, { step: 1 })).status).toBe(200);
      expect(await typesOf(rid)).toEqual(['RegistrationStarted', 'RegistrationRegionChosen']);
    });

    test('left a draft that is completed all the same, with every milestone before its end', async () => {
      const { client } = await storedDraft(api);
      const dying = apiClient(failingLog(1), { 'x-rid': client.rid });
      expect((await dying.put(TRADIES, { user: { firstName: 'Samira' } })).status).toBe(500);
      expect((await client.post('/api/registration')).status).toBe(200);
      expect((await typesOf(client.rid)).slice(-2)).toEqual([
        'RegistrationBusinessIdentified',
        'RegistrationCompleted',
      ]);
    });
  });
});

describe('registration lookups', () => {
  let api: TestApp;
  let acme: SignedIn;
  let client: Client;
  beforeAll(async () => {
    api = app;
    acme = await api.signIn();
    client = await begin(api);
  });

  describe('lookups', () => {
    const get = (path: string) => client.get(`/api/registration${path}`);

    test('are for who registers or is signed in', async () => {
      for (const path of ['/bn?q=banksia&r=au', '/postcode?postcode=3056', '/address?q=12 smith st']) {
        expect((await api.get(`/api/registration${path}`)).status).toBe(401);
        expect((await acme.get(`/api/registration${path}`)).status).toBe(200);
        expect((await get(path)).status).toBe(200);
        const dead = await api
          .as({ authorization: `Bearer ${'x'.repeat(40)}` })
          .get(`/api/registration${path}`);
        expect(dead.status).toBe(403);
      }
      expect((await api.get('/api/registration/trades')).status).toBe(200);
    });

    test('a business is found by the beginning of its words or by its number, from 3 characters on', async () => {
      const found = async (q: string, r = 'au') =>
        (await get(`/bn?q=${encodeURIComponent(q)}&r=${r}`)).body.entities.map(
          ({ name }: { name: string }) => name,
        );
      expect(await found('banksia pl')).toEqual(['Banksia Plumbing Pty Ltd']);
      expect(await found('kowhai', 'nz')).toEqual(['Kōwhai Cleaning Limited']);
      expect(await found('kowhai')).toEqual([]);
      expect(await found('ba')).toEqual([]);
      expect(await found('')).toEqual([]);
      const [banksia] = sandboxEntities.au;
      expect(await found(banksia?.bn ?? '')).toEqual(['Banksia Plumbing Pty Ltd']);
      expect(await found('%')).toEqual([]);
    });

    test('a number answers its business, in its own country alone', async () => {
      const [banksia] = sandboxEntities.au;
      const ask = (body: object) => client.post('/api/registration/bn', body);
      const spaced = banksia?.bn.replace(/(\d{2})(\d{3})(\d{3})/, '$1 $2 $3 ');
      expect((await ask({ bn: spaced, r: 'au' })).body.entity).toEqual(banksia);
      expect((await ask({ bn: spaced })).body.entity).toEqual(banksia);
      expect((await ask({ bn: spaced, r: 'nz' })).body.fields.bn).toBe('Enter a valid NZBN number');
      expect(await ask({ bn: '51 824 753 556' })).toMatchObject({
        ...{ status: 404, body: { message: "We couldn't find this company, please try again." } },
      });
      expect((await ask({ bn: '123' })).body.fields.bn).toBe('Enter a valid ABN number');
    });

    test('a postcode answers a place to begin a map with', async () => {
      const { location } = (await get('/postcode?postcode=7000&region=au')).body;
      expect(location).toMatchObject({
        name: 'Hobart',
        state: 'TAS',
        radius: 15_000,
        zoom: 10,
        precision: 'area',
      });
      expect((await get('/postcode?postcode=8011&region=nz')).body.location.name).toBe('Christchurch');
      expect(await get('/postcode?postcode=0001')).toMatchObject({
        ...{ status: 404, body: { message: "We couldn't find address for this company" } },
      });
      for (const wrong of ['postcode=30', 'postcode=', '', 'postcode=3056&region=fj']) {
        expect((await get(`/postcode?${wrong}`)).status).toBe(422);
      }
    });

    test('the trades are those of the catalogue', async () => {
      const { body } = await get('/trades');
      expect(body.trades).toHaveLength(trades.length);
      expect(body.trades[0]).toEqual({
        ...{ id: 'plumbing', name: 'Plumbing services', specialties: trades[0]?.specialties },
      });
    });
  });
});

describe('registration hostile', () => {
  let api: TestApp;
  let client: Client;
  beforeAll(async () => {
    api = app;
    client = await begin(api);
  });

  const SENT = 'echo-marker-5d1c';
  const nasty = fc.oneof(
    fc.constantFrom(
      `${SENT}\0`,
      `${SENT}\ud800`,
      '__proto__',
      `=cmd|${SENT}`,
      `<img src=x onerror=${SENT}>`,
      "'; drop--",
    ),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(SENT.repeat(400), ''),
  );
  const anything = fc.oneof(
    { weight: 5, arbitrary: nasty },
    { weight: 2, arbitrary: fc.double() },
    { weight: 1, arbitrary: fc.anything({ maxDepth: 2 }) },
    { weight: 1, arbitrary: fc.array(nasty, { maxLength: 60 }) },
  );
  /** Mostly what an applicant could mean, else anything at all. */
  const or = (...usual: unknown[]) =>
    fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: anything });
  const of = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

  const draft = of({
    step: or(0, 0, 1, 6),
    region: or('au', 'nz', null),
    trades: or([], ['plumbing'], ['plumbing', 'tiling']),
    specialties: or([], ['plumbing-blocked-drains']),
    entity: fc.oneof(
      or(null),
      of({ bn: or(''), tradingName: or('Ō’Hara & Sons'), name: anything, registered: anything }),
    ),
    user: of({ firstName: or('Ngā', ''), lastName: or('永') }),
    location: or({ lat: -37, lng: 145, radius: 0 }, { lat: 1e300, lng: 0, radius: 1 }),
    verify: of({
      email: or('sam@', ''),
      phone: or('04'),
      subscribe: or(true),
      terms: or(false),
      emailVerified: anything,
    }),
    complete: anything,
  });
  const calls: fc.Arbitrary<readonly ['POST' | 'PUT', string, unknown]> = fc.oneof(
    { weight: 4, arbitrary: draft.map((body) => ['PUT', '/tradies', body] as const) },
    draft.map((body) => ['POST', '', body] as const),
    of({ bn: or('51824753556'), r: or('au', 'nz') }).map((body) => ['POST', '/bn', body] as const),
    of({ email: or('sam@free.example') }).map((body) => ['POST', '/email/verify', body] as const),
    of({ phone: or('0412 345 678', '13 13 13') }).map((body) => ['POST', '/phone/update', body] as const),
    of({ code: or('123456') }).map((body) => ['POST', '/sms/verify', body] as const),
    anything.map((body) => ['POST', '/sms/send', body] as const),
    of({ plan: or('pro', 2) }).map((body) => ['POST', '/tradies', body] as const),
  );

  test('whatever is sent is stored or refused politely, and what is refused is in no event and no answer', async () => {
    let stored = 0;
    await fc.assert(
      fc.asyncProperty(calls, async ([method, path, body]) => {
        const head = await api.deps.store.head();
        const text = JSON.stringify(body) ?? '';
        const answer = await client.send(method, `/api/registration${path}`, {
          body: text,
          headers: { 'content-type': 'application/json' },
        });
        expect(answer.status).toBeLessThan(500);
        if (answer.status === 200) {
          stored += 1;
          return;
        }
        expect(answer.body).toMatchObject({
          status: 'error',
          message: expect.any(String),
          ref: expect.any(String),
        });
        expect(answer.text).not.toContain(SENT);
        // A completion that comes too early has saved what came along.
        if (answer.status !== 409) expect(await api.deps.store.head()).toBe(head);
      }),
      { numRuns: 250 },
    );
    expect(stored).toBeGreaterThan(20);
  }, 120_000);

  test.each(['?r=au&r=nz', '?q=%00abc', '?q=%ED%A0%80abc', `?r=${'x'.repeat(500)}`])(
    'a lookup with %s is refused',
    async (query) => {
      const { status } = await client.get(`/api/registration/bn${query}`);
      expect([400, 422]).toContain(status);
    },
  );

  test.each(['x', '', 'x'.repeat(44), '../../etc/passwd', 'é'.repeat(43)])(
    'a secret that is none (%s) is unknown',
    async (rid) => {
      const headers = { 'x-rid': encodeURI(rid) };
      expect((await api.get('/api/registration/tradies', headers)).status).toBe(404);
    },
  );
});
