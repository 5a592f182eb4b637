import { afterAll, beforeAll, expect, test } from 'vitest';
import { reservedSlugs } from '#core/values/slug.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';

const UNAVAILABLE = 'Sorry, that URL is not available';

let api: TestApp;
let acme: SignedIn;
let rival: SignedIn;
beforeAll(async () => {
  api = await testApp();
  [acme, rival] = await Promise.all([api.signIn(), api.signIn()]);
});
afterAll(() => api?.close());

const move = (slug: string) => acme.put('/api/settings/branding', { slug });
const isAvailable = async (q: string) =>
  (await acme.get(`/api/settings/branding/slug?q=${encodeURIComponent(q)}`)).body.available;

test('the check of an address says yes to one that is free or one’s own, in any spelling', async () => {
  const answer = await acme.get('/api/settings/branding/slug?q=%20Free%20Of%20Others');
  expect(answer.body).toEqual({ status: 'ok', available: true, slug: 'freeofothers' });
  expect(await isAvailable(acme.slug)).toBe(true);
  expect(await isAvailable(acme.slug.toUpperCase())).toBe(true);
});

test('says no to one that is another’s', async () => {
  expect((await acme.get(`/api/settings/branding/slug?q=${rival.slug}`)).body).toEqual({
    ...{ status: 'ok', available: false, slug: rival.slug },
    ...{ title: 'This domain is already taken.', message: 'Try a different URL' },
  });
  expect(await isAvailable(` ${rival.slug.toUpperCase()} `)).toBe(false);
});

test.each([
  '',
  'ab',
  'a'.repeat(21),
  'acme.plumbing',
  'acme/x',
  'ａｃｍｅ',
  'аcme',
  'acme\u200b',
  "x'--",
  '%',
])('says no to %j', async (q) => {
  const { body } = await acme.get(`/api/settings/branding/slug?q=${encodeURIComponent(q)}`);
  expect(body).toMatchObject({ available: false, message: UNAVAILABLE });
  expect(body).not.toHaveProperty('title');
  const refused = await move(q);
  expect(refused).toMatchObject({ status: 422, body: { fields: { slug: UNAVAILABLE } } });
});

test('says no to every word of the product itself, in every disguise', async () => {
  const disguises = (word: string) => [word, word.toUpperCase(), `${word}-`, `${word}_`, `-${word}`];
  for (const word of reservedSlugs) {
    for (const q of disguises(word)) expect(await isAvailable(q), q).toBe(false);
  }
  expect(await move('Admin-_')).toMatchObject({ status: 422, body: { fields: { slug: UNAVAILABLE } } });
});

test('is only for who is signed in', async () => {
  expect((await api.get('/api/settings/branding/slug?q=acme')).status).toBe(403);
});
