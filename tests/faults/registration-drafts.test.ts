import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { registrationIdOf } from '#api/registration/load-registration.ts';
import { createSubjectKeys } from '#core/event-store/subject-keys.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient, type Client } from '#tests/support/app/api-client.ts';
import { aRegistrant, begin, type Registrant } from '#tests/support/scenarios/registrations.ts';
import { failingCalls, failures, sweepCalls } from '#tests/support/servers/outages.ts';

/** Neither of them makes more calls. */
const MOST_CALLS = 60;
const calls = failingCalls();
const TRADIES = '/api/registration/tradies';
let api: TestApp;
beforeAll(async () => {
  api = await testApp();
});
afterAll(() => api?.close());

/** Everything on one page: half of its answers are milestones, the others are not. */
const saveAll = (client: Client, who: Registrant) =>
  client.put(TRADIES, {
    ...{ step: 1, region: who.region, trades: [who.trade], specialties: [who.specialty] },
    entity: { bn: who.bn, tradingName: who.tradingName },
    ...{ user: { firstName: 'Robin', lastName: 'Fenwickton' }, location: who.location },
    verify: { password: who.password, phone: '04', terms: true },
  });
const verifyEmail = (client: Client, { email }: Registrant) =>
  client.post('/api/registration/email/verify', { email });

const saved = [
  ...['RegistrationStarted', 'RegistrationRegionChosen', 'RegistrationTradesChosen'],
  ...['RegistrationBusinessIdentified', 'RegistrationAreaSet'],
  ...['RegistrationPasswordChosen', 'RegistrationTermsAccepted'],
];
const changes = [
  ['a save', saveAll, saved, { phone: '04', terms: true, passwordSet: true }],
  [
    'a verified email',
    verifyEmail,
    ['RegistrationStarted', 'RegistrationEmailVerified'],
    { emailVerified: true },
  ],
] as const;

for (const failure of failures) {
  test.each(changes)(
    `of %s, each call ${failure} in turn, the draft has all or nothing, and sent again it has all, told once`,
    async (_what, send, types, verify) => {
      const swept = await sweepCalls(async (n) => {
        const who = aRegistrant();
        const client = await begin(api);
        const before = (await client.get(TRADIES)).body.registration;
        const deps = calls.wrap(api.deps);
        const subjectKeys = createSubjectKeys({ pool: deps.db, dataKey: deps.config.keys.data });
        const failing = apiClient(createApp({ ...deps, subjectKeys }), { 'x-rid': client.rid });
        calls.failAt(n, failure);
        const first = await send(failing, who);
        const isMet = calls.disarm();
        expect([200, 503]).toContain(first.status);
        const between = (await client.get(TRADIES)).body.registration;
        const again = await send(failing, who);
        expect(again.status).toBe(200);
        const { registration } = (await client.get(TRADIES)).body;
        expect(registration.verify).toMatchObject(verify);
        expect([before, registration]).toContainEqual(between);
        const events = await api.deps.store.readStream(`registration-${registrationIdOf(client.rid)}`);
        expect(events.map(({ type }) => type)).toEqual(types);
        return isMet;
      }, MOST_CALLS);
      expect(swept).toBeGreaterThan(4);
    },
    120_000,
  );
}
