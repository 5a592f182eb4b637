import { afterAll, beforeAll, expect, test } from 'vitest';
import { finishContactChange, readContactChange } from '#api/accounts/contact/finish-contact-change.ts';
import { loadBusiness } from '#api/accounts/load-account.ts';
import { createApp } from '#api/app.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { apiClient } from '#tests/support/app/api-client.ts';
import { tokenSentTo } from '#tests/support/app/messages.ts';
import { changeEmail, freshEmail } from '#tests/support/scenarios/registrations.ts';

let api: TestApp;
beforeAll(async () => {
  api = await testApp({ processes: true });
});
afterAll(() => api?.close());

async function emailReservations({ accountId }: SignedIn): Promise<number> {
  const { rowCount } = await api.deps.db.query(
    `select from state.reservations where owner = $1 and kind = 'email' and status = 'kept'`,
    [accountId],
  );
  return rowCount ?? 0;
}

/** Confirms a change of email in a process that dies right after the event. */
async function confirmAndDie(owner: SignedIn, email: string): Promise<void> {
  await changeEmail(owner, email);
  const token = await tokenSentTo(api, email);
  let hasAppended = false;
  const { store, db } = api.deps;
  const dying = createApp({
    ...api.deps,
    store: {
      ...store,
      async append(...args) {
        if (hasAppended) throw new Error('killed');
        const appended = await store.append(...args);
        hasAppended = true;
        return appended;
      },
      readStream: (...args) =>
        hasAppended ? Promise.reject(new Error('killed')) : store.readStream(...args),
    },
    db,
  });
  const answer = await apiClient(dying).post('/api/authenticate/email/confirm', { token });
  expect(answer.status).toBe(500);
}

test('a change of email whose request died after the event is finished by the process alone, before any notice is sent', async () => {
  const owner = await api.signIn();
  await owner.put('/api/settings/contact', { showEmail: true });
  const email = freshEmail();
  await confirmAndDie(owner, email);
  const { password } = owner;
  const signsIn = async () => (await api.post('/api/authenticate/login', { email, password })).status === 200;
  await expect.poll(signsIn, { timeout: 20_000 }).toBe(true);
  await api.settle();
  expect(await emailReservations(owner)).toBe(1);
  expect((await loadBusiness(api.deps, owner.businessId))?.contact.email).toBe(email);
  expect((await api.signIn({ email: owner.email })).email).toBe(owner.email);
});

test('an earlier change that is met again changes nothing that came after it', async () => {
  const owner = await api.signIn();
  const [first, second] = [owner.email, freshEmail()];
  for (const email of [second, first]) {
    await changeEmail(owner, email);
    const token = await tokenSentTo(api, email);
    expect((await api.post('/api/authenticate/email/confirm', { token })).status).toBe(200);
  }
  await owner.put('/api/settings/contact', { showEmail: true });
  await api.settle();
  const stream = await api.deps.store.readStream(`account-${owner.accountId}`);
  const changeId = stream.find(({ type }) => type === 'AccountEmailChanged')?.metadata.causation ?? '';
  const change = await readContactChange(api.deps, { accountId: owner.accountId, changeId });
  expect([change?.before.email, change?.after.email, change?.present.email]).toEqual([first, second, first]);
  // As after a log was restored: everything is followed anew.
  await finishContactChange(api.deps, { accountId: owner.accountId, changeId });
  expect((await loadBusiness(api.deps, owner.businessId))?.contact.email).toBe(first);
});
