import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendTestAlert } from '#api/businesses/notifications.ts';
import type { Delivery } from '#api/outbox/deliver.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import { ProviderError } from '#api/providers/http-client.ts';
import { notificationNames, notificationToggles } from '#core/values/account.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { sentMail, sentSms, testDelivery } from '#tests/support/app/messages.ts';

const PATH = '/api/settings/notifications';
const allOn = Object.fromEntries(notificationToggles.map(({ name }) => [name, true]));

let app: TestApp;
let dave: SignedIn;
beforeAll(async () => {
  app = await testApp();
});
beforeEach(async () => {
  dave = await app.signIn();
});
afterAll(() => app?.close());

test('all notifications are on to begin with', async () => {
  expect((await dave.get(PATH)).body).toEqual({ status: 'ok', notifications: allOn });
});

test.each(notificationNames)('%s is turned off and on again, and the others stay', async (name) => {
  const off = await dave.put(PATH, { [name]: false });
  expect(off.body.notifications).toEqual({ ...allOn, [name]: false });
  expect((await dave.get(PATH)).body.notifications).toEqual({ ...allOn, [name]: false });
  expect((await dave.put(PATH, { [name]: true })).body.notifications).toEqual(allOn);
});

test('account notifications are locked on', async () => {
  const refused = await dave.put(PATH, { account: false, sms: false });
  expect(refused.status).toBe(422);
  expect(refused.body.fields).toEqual({ account: 'Account notifications are always on' });
  expect((await dave.put(PATH, { account: true })).body.notifications).toEqual(allOn);
});

test.each([{ sms: 'no' }, { sms: null }, { fax: true }, { accountId: 'x' }, null])(
  'settings of %j are refused',
  async (body) => {
    expect((await dave.put(PATH, body)).status).toBe(422);
  },
);

test('no account changes the switches of another', async () => {
  const mere = await app.signIn();
  await dave.put(PATH, { sms: false });
  expect((await mere.get(PATH)).body.notifications).toEqual(allOn);
  expect((await app.get(PATH)).status).toBe(403);
  expect((await app.put(PATH, { sms: false })).status).toBe(403);
});

test('turning what already stands so writes nothing', async () => {
  const head = await app.deps.store.head();
  await dave.put(PATH, { sms: true });
  await dave.put(PATH, {});
  expect(await app.deps.store.head()).toBe(head);
});

describe('a test alert', () => {
  /** Asks for an alert where messages are delivered by `other`. */
  async function alert(other: Partial<Delivery> = {}, owner = dave) {
    const delivery = testDelivery(app, other);
    const notify = () => void deliverDue(delivery);
    const deps = { ...app.deps, messages: { notify } };
    return sendTestAlert(deps, { id: 'session', accountId: owner.accountId, businessId: owner.businessId });
  }

  test('goes out by every channel and says where to', async () => {
    const channels = await alert();
    expect(channels.email).toEqual({
      ...{ outcome: 'sent', to: dave.email },
      message: `We sent a test alert to ${dave.email}.`,
    });
    expect(channels.sms.outcome).toBe('sent');
    expect(channels.sms.to).toMatch(/^0412 /);
    expect(await sentMail(app, dave.email)).toHaveLength(1);
    const number = `+61${channels.sms.to.replaceAll(' ', '').slice(1)}`;
    expect((await sentSms(app, number))[0]?.text).toContain('Ute test alert');
  });

  test('shows which channel does not work', async () => {
    const send = () => Promise.reject(new ProviderError('test', 'is unavailable'));
    const { email, sms } = await alert({ mail: { name: 'test', send } });
    expect([email.outcome, sms.outcome]).toEqual(['failed', 'sent']);
    expect(email.message).toContain('could not be sent by email');
  });

  test('leaves alone what is turned off', async () => {
    await dave.put(PATH, { sms: false });
    const { email, sms } = await alert();
    expect([email.outcome, sms.outcome]).toEqual(['sent', 'off']);
  });

  test('needs a session, and is not to be had without end', async () => {
    expect((await app.post(`${PATH}/test`)).status).toBe(403);
    const limited = await testApp({ env: { RATE_LIMITS: 'on' } });
    try {
      const owner = await limited.signIn();
      await owner.put(PATH, { email: false, sms: false });
      const answers = [];
      for (let n = 0; n < 6; n += 1) answers.push(await owner.post(`${PATH}/test`));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
      expect(answers[0]?.body.channels.email.outcome).toBe('off');
    } finally {
      await limited.close();
    }
  });
});
