import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAccount } from '#api/accounts/load-account.ts';
import { reservationKey } from '#api/accounts/reservations.ts';
import { createApp } from '#api/app.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient, type Client } from '#tests/support/app/api-client.ts';
import { sentMail, tokenSentTo } from '#tests/support/app/messages.ts';
import { changeEmail, freshEmail } from '#tests/support/scenarios/registrations.ts';
import { type Failure, failingCalls, failures, sweepCalls } from '#tests/support/servers/outages.ts';

const MINUTE = 60_000;

const calls = failingCalls();
let ahead = 0;
let api: TestApp;
let failing: Client;

beforeAll(async () => {
  api = await testApp({ processes: true, now: () => new Date(Date.now() + ahead) });
  failing = apiClient(createApp(calls.wrap(api.deps)));
});
afterAll(() => api?.close());

const signIn = async (email: string, password: string) =>
  (await api.post('/api/authenticate/login', { email, password })).body;

/** Sends a request once for each of its calls, that call failing; answers how many there were. */
function sweep(failure: Failure, operation: (send: Send) => Promise<void>): Promise<number> {
  return sweepCalls(async (n) => {
    let isMet = true;
    await operation(async (path, body) => {
      calls.failAt(n, failure);
      const { status } = await failing.post(path, body);
      isMet = calls.disarm();
      expect([200, 503]).toContain(status);
      return status;
    });
    return isMet;
  });
}
type Send = (path: string, body: object) => Promise<number>;

async function emailOf({ accountId }: SignedIn): Promise<string> {
  return (await loadAccount(api.deps, accountId)).account.email;
}

/** The emails of these that the account signs in with. */
async function reservedOf({ accountId }: SignedIn, emails: readonly string[]): Promise<string[]> {
  const { rows } = await api.deps.db.query<{ key: Buffer }>(
    `select key from state.reservations where kind = 'email' and status = 'kept' and owner = $1`,
    [accountId],
  );
  return emails.filter((email) =>
    rows.some(({ key }) => key.equals(reservationKey(api.deps.config, 'email', email))),
  );
}

test.each(failures)(
  'a new email, each call %s in turn, is wholly there or not at all as soon as the old one is notified',
  async (failure) => {
    const dave = await api.signIn();
    await dave.put('/api/settings/contact', { showEmail: true });
    const swept = await sweep(failure, async (send) => {
      const [old, email] = [await emailOf(dave), freshEmail()];
      await changeEmail(dave, email);
      const token = await tokenSentTo(api, email);
      const status = await send('/api/authenticate/email/confirm', { token });
      ahead += MINUTE;
      await api.settle();
      const told = (await sentMail(api, old)).filter(({ subject }) => subject.endsWith('was changed'));

      const moved = (await emailOf(dave)) === email;
      if (status === 200) expect(moved).toBe(true);
      expect(told).toHaveLength(moved ? 1 : 0);
      expect(await reservedOf(dave, [old, email])).toEqual([moved ? email : old]);
      if (!moved) expect((await api.post('/api/authenticate/email/confirm', { token })).status).toBe(200);
      expect(await reservedOf(dave, [old, email])).toEqual([email]);
      await api.settle();
      const { form } = (await api.get(`/api/public-forms/${dave.slug}`)).body;
      expect(form.contact.email).toBe(email);
      ahead += 60 * MINUTE;
    });
    expect((await signIn(await emailOf(dave), dave.password)).status).toBe('ok');
    expect(swept).toBeGreaterThan(8);
  },
);

test.each(failures)(
  'a password set anew, each call %s in turn, is set or not, and never half',
  async (failure) => {
    const dave = await api.signIn();
    let { password } = dave;
    const swept = await sweep(failure, async (send) => {
      const { token: bearer } = await signIn(dave.email, password);
      const here = api.as({ authorization: `Bearer ${bearer}` });
      await api.post('/api/authenticate/forgot-password', { email: dave.email });
      const token = await tokenSentTo(api, dave.email);
      const before = (await sentMail(api, dave.email)).length;
      const newPassword = `Kumara-${crypto.randomUUID()}-A`;
      const body = { newPassword, confirmPassword: newPassword, token };
      const status = await send('/api/authenticate/reset-password', body);
      const isSet = (await here.get('/api/authenticate')).status === 403;
      if (status === 200) expect(isSet).toBe(true);
      expect((await signIn(dave.email, newPassword)).status).toBe(isSet ? 'ok' : 'error');
      expect((await sentMail(api, dave.email)).length).toBe(isSet ? before + 1 : before);
      const again = await api.post('/api/authenticate/reset-password', body);
      expect(again.status).toBe(isSet ? 422 : 200);
      password = newPassword;
      ahead += 60 * MINUTE;
    });
    expect(swept).toBeGreaterThan(4);
  },
);
