import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedBusiness } from '#api/seed/seed-business.ts';
import { ConflictError } from '#core/kernel/errors.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aBusiness } from '#tests/support/app/fixtures.ts';
import { aRegistrant, readyToComplete } from '#tests/support/scenarios/registrations.ts';

const DAY = 24 * 60 * 60_000;
const TAKEN = {
  status: 409,
  body: { message: 'This domain is already taken.', fields: { slug: 'Try a different URL' } },
};

let api: TestApp;
let ahead = 0;
beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead) });
});
afterAll(() => api?.close());

let names = 0;
/** An address that nothing else in this file reads like, with letters that others read like. */
const fresh = () => `kiwi-solar-${(names += 1)}`;
let [owner, rival]: SignedIn[] = [];
let slug = '';
beforeEach(async () => {
  ahead = 0;
  slug = fresh();
  [owner, rival] = await Promise.all([api.signIn({ slug }), api.signIn()]);
});

const move = (to: string, who = rival) => (who as SignedIn).put('/api/settings/branding', { slug: to });
const check = async (q: string, who = rival) =>
  (await (who as SignedIn).get(`/api/settings/branding/slug?q=${encodeURIComponent(q)}`)).body;
const alike = (of: string) => [
  of.replaceAll('-', ''),
  of.replaceAll('-', '_'),
  of.replace('-', '--'),
  of.toUpperCase(),
  of.replace('o', '0'),
  of.replaceAll('i', '1'),
  of.replaceAll('i', 'l'),
  of.replace('s', '5'),
  of.replace('w', 'vv'),
];
describe('an address that reads like another business’s', () => {
  test('is taken, in the check and when it is saved', async () => {
    for (const q of alike(slug)) {
      expect(await check(q), q).toMatchObject({
        ...{ available: false, title: 'This domain is already taken.', message: 'Try a different URL' },
      });
    }
    expect(await move(slug.replace('o', '0'))).toMatchObject(TAKEN);
    expect(await move(`${slug}-`)).toMatchObject(TAKEN);
  });

  test('is taken by none or one of many who want them at once', async () => {
    const wanted = fresh();
    const all = await Promise.allSettled(
      [wanted, ...alike(wanted)].map((one) =>
        seedBusiness(api.deps, aBusiness({ slug: one }), {
          ...{ commandId: Bun.randomUUIDv7(), actor: 'seed', correlation: 'test' },
        }),
      ),
    );
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(ConflictError);
  });

  test('stays taken for 180 days after it was left, and is free then', async () => {
    expect((await move(fresh(), owner)).status).toBe(200);
    const like = slug.replace('o', '0');
    expect((await check(like)).available).toBe(false);
    ahead = 181 * DAY;
    const { email, password } = rival as SignedIn;
    const { body } = await api.post('/api/authenticate/login', { email, password });
    const later = { ...rival, ...api.as({ authorization: `Bearer ${body.token}` }) } as SignedIn;
    expect((await check(like, later)).available).toBe(true);
    expect((await move(like, later)).status).toBe(200);
  });

  test('is not suggested for a name: the next one is', async () => {
    const number = slug.slice('kiwi-solar-'.length);
    const { client } = await readyToComplete(api, aRegistrant({ tradingName: `Kiwi S0lar ${number}` }));
    const { body } = await client.post('/api/registration');
    expect(body.user.slug).toBe(`kiwi-s0lar-${number}-2`);
  });
});

test('a business changes among addresses that read alike, and comes back', async () => {
  const like = slug.replace('o', '0');
  expect(await check(like, owner)).toMatchObject({ available: true });
  expect((await move(like, owner)).status).toBe(200);
  expect((await check(slug)).available).toBe(false);
  expect((await move(slug, owner)).status).toBe(200);
  expect(await move(like)).toMatchObject(TAKEN);
});

test.each(['-kiwi', 'kiwi_', '--kiwi-', '---'])('%s begins or ends with a mark: it is taken', async (q) => {
  expect(await check(q)).toMatchObject({ available: false, title: 'This domain is already taken.' });
  expect(await move(q)).toMatchObject(TAKEN);
});

test.each(['adm1n', 'l0gin', '5upport', 'vvww', 'w-vv-w', 'forrn', 'te5t'])(
  '%s reads like a word of the product: no business may take it',
  async (q) => {
    const message = 'Sorry, that URL is not available';
    expect(await check(q)).toMatchObject({ available: false, message });
    expect(await move(q)).toMatchObject({ status: 422, body: { fields: { slug: message } } });
    await expect(
      seedBusiness(api.deps, aBusiness({ slug: q }), {
        ...{ commandId: Bun.randomUUIDv7(), actor: 'seed', correlation: 'test' },
      }),
    ).rejects.toMatchObject({ fields: { slug: message } });
  },
);
