import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '#api/app.ts';
import { sweepFiles } from '#api/businesses/stored-files.ts';
import { findForm } from '#api/intake/public-form.ts';
import { accountTables } from '#projections/accounts/table.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient } from '#tests/support/app/api-client.ts';
import { dataUrl, png } from '#tests/support/scenarios/files.ts';
import { type Failure, failingCalls, failures, sweepCalls } from '#tests/support/servers/outages.ts';

const DAY = 24 * 60 * 60_000;

const calls = failingCalls();
let ahead = 0;
let api: TestApp;
beforeAll(async () => {
  api = await testApp({ now: () => new Date(Date.now() + ahead) });
});
afterAll(() => api?.close());

/** Sends a change once for each of its calls, that call failing; then the same again, which completes it. */
function sweep(failure: Failure, change: () => Promise<Change>): Promise<number> {
  const failing = createApp(calls.wrap(api.deps));
  return sweepCalls(async (n) => {
    const { who, path, body, check } = await change();
    const headers = { authorization: `Bearer ${who.token}` };
    calls.failAt(n, failure);
    const { status } = await apiClient(failing, headers).put(path, body);
    const isMet = calls.disarm();
    expect([200, 503]).toContain(status);
    if (isMet) expect((await who.put(path, body)).status).toBe(200);
    await check();
    return isMet;
  });
}
type Change = Readonly<{ who: SignedIn; path: string; body: object; check(): Promise<void> }>;

let names = 0;

async function newFace(): Promise<Change> {
  const who = await api.signIn({ plan: 'plus' });
  const slug = `moved-${(names += 1)}`;
  return {
    ...{ who, path: '/api/settings/branding' },
    body: { slug, theme: '#C21313', logo: dataUrl(png(16, 16)) },
    async check() {
      await api.settle();
      const { user } = (await who.get('/api/authenticate')).body;
      expect(user).toMatchObject({ slug, theme: '#C21313', logo: expect.stringMatching(/^\/logos\//) });
      expect((await api.get(user.logo)).status).toBe(200);
      const old = await findForm(api.deps, who.slug);
      expect(old).toMatchObject({ businessId: who.businessId, form: { slug } });
    },
  };
}

test.each(failures)('a new face, each call %s in turn, is whole once it was sent again', async (failure) => {
  expect(await sweep(failure, newFace)).toBeGreaterThan(10);
});

test.each(failures)(
  'new details, each call %s in turn, are whole once they were sent again',
  async (failure) => {
    const who = await api.signIn();
    const swept = await sweep(failure, async () => {
      const firstName = `Aroha ${(names += 1)}`;
      const wanted = { firstName, lastName: 'Tāwhiri', intro: `By ${firstName}`, onboarding: false } as const;
      return {
        ...{ who, path: '/api/settings/profile', body: { ...wanted, bn: { tradingName: firstName } } },
        async check() {
          await api.settle();
          const { user } = (await who.get('/api/authenticate')).body;
          expect(user).toMatchObject({ ...wanted, bn: { tradingName: firstName } });
        },
      };
    });
    expect(swept).toBeGreaterThan(6);
  },
);

test('of all the logos that were tried, those that are shown stay, and no more', async () => {
  ahead = 2 * DAY;
  while ((await sweepFiles(api.deps)) > 0);
  const { rows } = await api.deps.db.query<{ id: string; shown: boolean }>(
    `select f.id, exists (select from ${accountTables.businesses} b where b.logo = f.id) as shown from state.files f`,
  );
  expect(rows.every(({ shown }) => shown)).toBe(true);
  const { rows: businesses } = await api.deps.db.query(
    `select logo from ${accountTables.businesses} where logo is not null`,
  );
  expect(rows).toHaveLength(businesses.length);
  for (const { logo } of businesses) expect(await api.deps.files.get(`logos/${logo}`)).not.toBeNull();
});
