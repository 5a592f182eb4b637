import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxEntities } from '#api/providers/business-register/sandbox-entities.ts';
import { trades } from '#core/values/trade-catalogue.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Client } from '#tests/support/app/api-client.ts';
import { sentSms } from '#tests/support/app/messages.ts';
import { aTicket } from '#tests/support/scenarios/job-requests.ts';
import {
  answerSteps,
  aRegistrant,
  begin,
  codeSentTo,
  readyToComplete,
} from '#tests/support/scenarios/registrations.ts';

let api: TestApp;
let acme: SignedIn;
let client: Client & { rid: string };
beforeAll(async () => {
  api = await testApp();
  acme = await api.signIn({ phone: '+61491570158' });
  client = await begin(api);
});
afterAll(() => api?.close());

const TRADIES = '/api/registration/tradies';
const put = (body: unknown) => client.put(TRADIES, body);

describe('beginning', () => {
  test('needs a bot check, its own and once', async () => {
    const begin = (headers = {}) => api.post(TRADIES, { plan: 'plus' }, headers);
    expect((await begin()).status).toBe(400);
    const other = { 'x-bot-check': await aTicket(api, 'public-form') };
    expect((await begin(other)).status).toBe(400);
    const ticket = { 'x-bot-check': await aTicket(api, 'registration') };
    expect((await begin(ticket)).status).toBe(200);
    expect(await begin(ticket)).toMatchObject({
      ...{ status: 400, body: { message: 'The bot check was used or is too old, please try again' } },
    });
  });

  test.each([
    ['starter', 'starter'],
    ['pro', 'pro'],
    [1, 'plus'],
    ['2', 'pro'],
    ['free', 'starter'],
    [undefined, 'starter'],
  ])('takes the plan %s for %s', async (plan, type) => {
    const { body } = await (await begin(api, plan)).get(TRADIES);
    expect(body.registration.type).toBe(type);
  });

  test('gives a secret of its own, whatever the browser asks for', async () => {
    const wanted = 'w'.repeat(43);
    const ticket = await aTicket(api, 'registration');
    const { body } = await api.post(TRADIES, {}, { 'x-bot-check': ticket, 'x-rid': wanted });
    expect(body.rid).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(body.rid).not.toBe(wanted);
    expect(new Set([body.rid, client.rid]).size).toBe(2);
  });

  test('keeps what the browser says of itself, and no nonsense', async () => {
    const notes = async (headers: Record<string, string>) => {
      const { rid } = await begin(api, 'plus', headers);
      const id = new Bun.CryptoHasher('sha256').update(rid).digest('hex');
      const { rows } = await api.deps.db.query(
        `select screen_width, screen_height, colour_depth, language, timezone_offset
         from state.registrations where registration_id = $1`,
        [id],
      );
      return rows[0];
    };
    const screen = { 'x-screen-width': '390', 'x-screen-height': '844', 'x-colour-depth': '24' };
    expect(await notes({ ...screen, 'x-language': 'en-NZ', 'x-timezone-offset': '-780' })).toEqual({
      ...{ screen_width: 390, screen_height: 844, colour_depth: 24 },
      ...{ language: 'en-NZ', timezone_offset: -780 },
    });
    const nonsense = { 'x-screen-width': 'wide', 'x-language': '<script>', 'x-timezone-offset': '99999' };
    expect(Object.values(await notes(nonsense)).every((value) => value === null)).toBe(true);
  });
});

describe('a draft', () => {
  test.each<[string, unknown, number, string | null]>([
    ['too many trades', { trades: trades.slice(0, 4).map(({ id }) => id) }, 422, 'trades'],
    ['50 trades', { trades: trades.map(({ id }) => id) }, 422, 'trades'],
    ['a trade of no list', { trades: ['wizardry'] }, 422, 'trades'],
    [
      'a specialty of another trade',
      { trades: ['tiling'], specialties: ['roofing-leaks'] },
      422,
      'specialties',
    ],
    ['a country of another map', { region: 'fj' }, 422, 'region'],
    ['a number that is none', { region: 'au', entity: { bn: '51824753557' } }, 422, 'entity.bn'],
    ['a business that no register has', { region: 'au', entity: { bn: '51824753556' } }, 422, 'entity.bn'],
    ['a place off the earth', { location: { lat: -95, lng: 0, radius: 1 } }, 422, 'location'],
    ['an area without end', { location: { lat: -37, lng: 145, radius: 100_001 } }, 422, 'location'],
    ['a weak password', { verify: { password: 'Short#1' } }, 422, 'verify.password'],
    ['a password that everybody has', { verify: { password: 'Password1234!' } }, 422, 'verify.password'],
    ['a step that there is not', { step: 9 }, 422, 'step'],
    ['a step that is half one', { step: 1.5 }, 422, 'step'],
    ['a step before its time', { step: 6 }, 409, null],
    ['an unknown field', { emailVerified: true }, 422, 'body'],
  ])('refuses %s', async (_what, body, status, field) => {
    const head = await api.deps.store.head();
    const answer = await put(body);
    expect(answer.status).toBe(status);
    if (field) expect(Object.keys(answer.body.fields)).toEqual([field]);
    expect(await api.deps.store.head()).toBe(head);
  });

  test('says what is wrong in the words of the list', async () => {
    const four = trades.slice(0, 4).map(({ id }) => id);
    expect((await put({ trades: four })).body.message).toBe('You can select up to 3 trades.');
    expect((await put({ step: 3 })).body).toMatchObject({
      ...{ message: 'Please finish the steps before this one', step: 1 },
    });
    const cancelled = sandboxEntities.au.find(({ registered }) => !registered);
    const gone = await put({ region: 'au', entity: { bn: cancelled?.bn } });
    expect(gone.body.fields['entity.bn']).toBe('This business is no longer registered');
  });

  test('keeps half-typed words, so that Back never fails', async () => {
    const { body } = await put({ step: 0, verify: { email: 'sam@', phone: '04' } });
    expect(body.registration.verify).toMatchObject({ email: 'sam@', emailVerified: false, phone: '04' });
  });
});

describe('email and mobile', () => {
  const post = (path: string, body?: unknown) => client.post(`/api/registration${path}`, body);

  test('an email that is signed up is a conflict, one that is none is named', async () => {
    expect(await post('/email/verify', { email: ` ${acme.email.toUpperCase()} ` })).toMatchObject({
      ...{ status: 409, body: { message: "This email's already signed up." } },
    });
    expect(await post('/email/verify', { email: 'sam@' })).toMatchObject({
      ...{ status: 422, body: { fields: { email: 'Enter a valid email address' } } },
    });
    expect((await post('/email/verify', { email: 'Free@Registrant.example' })).body.email).toBe(
      'free@registrant.example',
    );
  });

  test('a number that cannot be sent to is 400, another account’s 409', async () => {
    await put({ region: 'au', step: 0 });
    for (const phone of ['03 9876 5432', '1300 975 707', '+8821234567', '+1900555', '021 123 4567', '']) {
      expect(await post('/phone/update', { phone })).toMatchObject({
        ...{ status: 400, body: { message: 'Enter a mobile number of Australia, such as 0412 345 678' } },
      });
    }
    expect(await post('/phone/update', { phone: '0491 570 158' })).toMatchObject({
      ...{ status: 409, body: { message: 'This mobile number is already in use' } },
    });
    await put({ verify: { phone: '0491 570 158' } });
    expect((await post('/sms/send')).status).toBe(409);
    await put({ verify: { phone: '13 13 13' } });
    expect(await post('/sms/send')).toMatchObject({
      ...{ status: 400, body: { message: 'Enter a mobile number of Australia, such as 0412 345 678' } },
    });
    expect(await sentSms(api)).toEqual([]);
  });

  test('a wrong code is 400, and nothing is verified', async () => {
    const who = aRegistrant();
    const one = await begin(api);
    await answerSteps(one, who);
    expect((await one.post('/api/registration/sms/verify', { code: '123456' })).status).toBe(400);
    await one.post('/api/registration/sms/send');
    const code = await codeSentTo(api, who.phone);
    const wrong = code === '123456' ? '654321' : '123456';
    for (const attempt of [wrong, '12345', 'abcdef', '']) {
      expect(await one.post('/api/registration/sms/verify', { code: attempt })).toMatchObject({
        ...{ status: 400, body: { message: 'Wrong code' } },
      });
    }
    expect((await one.get(TRADIES)).body.registration.verify.phoneVerified).toBe(false);
    expect((await one.post('/api/registration/sms/verify', { code: ` ${code} ` })).status).toBe(200);
  });
});

test('a completion that came too late says which of the two is taken', async () => {
  const first = await readyToComplete(api);
  const email = await readyToComplete(api, { email: first.who.email });
  expect((await first.client.post('/api/registration')).status).toBe(200);
  expect(await email.client.post('/api/registration')).toMatchObject({
    ...{ status: 409, body: { message: "This email's already signed up." } },
  });
});
