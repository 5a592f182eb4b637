import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import type { Client } from '#tests/support/app/api-client.ts';
import { begin } from '#tests/support/scenarios/registrations.ts';

let api: TestApp;
let client: Client;
beforeAll(async () => {
  api = await testApp();
  client = await begin(api);
});
afterAll(() => api?.close());

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
