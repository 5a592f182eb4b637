import { afterAll, beforeAll, expect, test } from 'vitest';
import { settleHeldBack } from '#api/accounts/email-confirmation.ts';
import { deliver, type MessageApp, messageApp, pathIn, tokenSentTo } from '#tests/support/app/messages.ts';
import { type Owner, unconfirmedEnv, unconfirmedOwners } from '#tests/support/scenarios/limited-forms.ts';
import { changeEmail, freshEmail } from '#tests/support/scenarios/registrations.ts';

const DAY = 24 * 60;
let app: MessageApp;
let of: ReturnType<typeof unconfirmedOwners>;
beforeAll(async () => {
  app = await messageApp({ env: unconfirmedEnv });
  of = unconfirmedOwners(app);
});
afterAll(() => app.close());

/** What the histories of a business's jobs say of mail that has not gone out. */
async function undelivered(owner: Owner): Promise<string[]> {
  const { jobs } = (await owner.get('/api/jobs?limit=100')).body;
  const histories = await Promise.all(
    jobs.map(async ({ id }: { id: string }) => (await owner.get(`/api/jobs/${id}/history`)).body.history),
  );
  return histories.flat().flatMap(({ what, text }) => (what === 'undelivered' ? [text] : []));
}
const deliveryStatuses = async (owner: Owner) => {
  const { jobs } = (await owner.get('/api/jobs?limit=100')).body;
  const { rows } = await app.deps.db.query(
    `select delivery_status as "deliveryStatus", count(*)::int as n from state.outbox
     where kind = 'request-receipt' and job_id = any($1) group by delivery_status`,
    [jobs.map(({ id }: { id: string }) => id)],
  );
  return Object.fromEntries(rows.map(({ deliveryStatus, n }) => [deliveryStatus, n]));
};

test('an email that is changed is confirmed by it, and sends what was held back', async () => {
  const owner = await of.registered();
  const customers = await of.requests(owner, 12);
  expect(await of.told(customers)).toBe(10);
  const email = freshEmail();
  expect((await changeEmail(owner, email)).status).toBe(200);
  const token = await tokenSentTo(app, email);
  expect((await app.post('/api/authenticate/email/confirm', { token })).status).toBe(200);
  expect(await of.told(customers)).toBe(12);
  expect(await of.contact(owner)).toMatchObject({ email, unconfirmed: null });
  expect(await undelivered(owner)).toEqual([]);
});

test('what is set aside after the confirmation goes out by itself, and the history says so', async () => {
  const owner = await of.registered();
  const customers = await of.requests(owner, 11);
  expect(await of.told(customers)).toBe(10);
  const { rows } = await app.deps.db.query(`select id from state.outbox where delivery_status = 'held'`);
  const [held] = rows.map(({ id }) => id);
  // As a crash right after the confirmation leaves it.
  await app.deps.db.query(`update state.outbox set delivery_status = 'sent' where id = $1`, [held]);
  await of.press(pathIn((await of.welcomesOf(owner))[0]));
  await app.deps.db.query(`update state.outbox set delivery_status = 'held' where id = $1`, [held]);
  expect(await undelivered(owner)).toEqual([
    'The receipt to the customer goes out in a moment, now that your email address is confirmed',
  ]);
  for (let n = 0; n < 2; n += 1) await settleHeldBack(app.deps);
  expect(await of.told(customers)).toBe(11);
  expect(await undelivered(owner)).toEqual([]);
});

test('what is held back raises no alarm, and lapses after a day', async () => {
  const owner = await of.registered();
  const customers = await of.requests(owner, 12);
  await deliver(app);
  expect(await deliveryStatuses(owner)).toEqual({ sent: 10, held: 2 });
  const { text } = await app.get('/api/metrics');
  expect(text).toMatch(/^ute_outbox_messages\{delivery_status="dead"\} 0$/m);
  expect(text).toMatch(/^ute_outbox_messages\{delivery_status="held"\} 2$/m);

  await settleHeldBack(app.deps);
  expect(await deliveryStatuses(owner)).toEqual({ sent: 10, held: 2 });
  app.pass(DAY);
  const gone =
    'The receipt to the customer was not sent: it waited a day for your email address to be confirmed';
  expect(await undelivered(owner)).toEqual([gone, gone]);
  expect(await of.contact(owner)).toMatchObject({ unconfirmed: { heldBack: 0 } });
  await settleHeldBack(app.deps);
  expect(await deliveryStatuses(owner)).toEqual({ sent: 10, lapsed: 2 });
  await of.press(pathIn((await of.welcomesOf(owner))[0]));
  expect(await undelivered(owner)).toEqual([gone, gone]);
  expect(await of.told(customers)).toBe(10);
});
