import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendTestAlert, type Tested } from '#api/businesses/notifications.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import type { SignedIn } from '#tests/support/app/api.ts';
import { linkIn, type MessageApp, messageApp, sentMail, testDelivery } from '#tests/support/app/messages.ts';
import { postForm, sendForm } from '#tests/support/scenarios/job-requests.ts';

let app: MessageApp;
let dave: SignedIn;
const lines: string[] = [];
beforeAll(async () => {
  app = await messageApp({
    env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '1', SMS_ALERTS_PER_HOUR: '10' },
    log: (line) => lines.push(line),
  });
});
beforeEach(async () => {
  app.pass(25 * 60);
  dave = await app.signIn();
});
afterAll(() => app.close());

let sources = 0;
function elsewhere() {
  sources += 1;
  return app.as({ 'x-forwarded-for': `10.${sources >> 8}.${sources & 255}.7` });
}
async function sendUrgent(times: number, to = dave) {
  for (let n = 0; n < times; n += 1) {
    const { status } = await sendForm(elsewhere(), to.slug, { title: `Burst pipe ${n}`, isUrgent: true });
    expect(status).toBe(200);
  }
}
const smsOnly = () => dave.put('/api/settings/notifications', { email: false, sms: true });
const outcomes = async () => {
  const { text } = await app.get('/api/metrics');
  return Object.fromEntries(
    [...text.matchAll(/^ute_alert_sms_last_hour\{outcome="(\w+)"\} (\d+)$/gm)].map(([, outcome, count]) => [
      outcome,
      Number(count),
    ]),
  );
};

test('what comes without a bot check is notified by mail alone, however urgent it says it is', async () => {
  for (let n = 0; n < 6; n += 1) {
    expect((await postForm(elsewhere(), dave.slug, { isUrgent: 'on' })).status).toBe(303);
  }
  const { mail, sms } = await app.toldTo(dave);
  expect([mail.length, sms.length]).toEqual([6, 0]);
  app.pass(20);
  expect((await app.toldTo(dave)).sms).toEqual([]);
  expect((await outcomes())['unchecked']).toBe(6);
});

test('what came without a bot check is called off by mail alone, days later too', async () => {
  await smsOnly();
  await postForm(elsewhere(), dave.slug, { email: 'days.later@example.com' });
  await app.settle();
  const [receipt] = await sentMail(app, 'days.later@example.com');
  app.pass(29 * 24 * 60);
  await sendUrgent(1);
  await app.post(`/api${linkIn(receipt as { text: string })}`);
  const { mail, sms } = await app.toldTo(dave);
  expect(mail.at(-1)).toContain('no longer needs this job');
  expect(sms).toEqual([expect.stringMatching(/^URGENT\. New job in Brunswick East VIC/)]);
});

test('a business is sent six SMS about jobs in an hour, and mail about all', async () => {
  await sendUrgent(8);
  const { mail, sms } = await app.toldTo(dave);
  expect([mail.length, sms.length]).toEqual([8, 6]);
  expect(await outcomes()).toEqual({ sent: 6, unchecked: 0, business: 2, everybody: 0 });
  app.pass(61);
  await sendUrgent(1);
  expect((await app.toldTo(dave)).sms).toHaveLength(7);
});

test('a test is one of the SMS of an hour, and leaves half of them to jobs', async () => {
  const delivery = testDelivery(app);
  const deps = { ...app.deps, messages: { notify: () => void deliverDue(delivery) } };
  const tried: Tested[] = [];
  for (let n = 0; n < 4; n += 1) tried.push((await sendTestAlert(deps, { id: 'session', ...dave })).sms);
  expect(tried.map(({ outcome }) => outcome)).toEqual(['sent', 'sent', 'sent', 'failed']);
  expect(tried.at(-1)?.message).toMatch(/^We have sent you as many SMS as we may for now/);
  await sendUrgent(4);
  expect((await app.toldTo(dave)).sms).toHaveLength(6);
  expect((await outcomes())['business']).toBe(2);
});

test('an owner who has only SMS on is notified by mail of what no SMS goes out for', async () => {
  await smsOnly();
  await sendUrgent(7);
  const { mail, sms } = await app.toldTo(dave);
  expect([mail.length, sms.length]).toEqual([1, 6]);
  expect(mail[0]).toContain('this one was not sent by SMS');
  await postForm(elsewhere(), dave.slug, { title: 'Without a check' });
  const told = await app.toldTo(dave);
  expect([told.mail.length, told.sms.length]).toEqual([2, 6]);
  expect(told.mail.at(-1)).toContain('Without a check');
});

test('all businesses together have a budget too, and the log and a figure say when it is spent', async () => {
  const eve = await app.signIn();
  await sendUrgent(6);
  await app.toldTo(dave);
  await sendUrgent(5, eve);
  const { mail, sms } = await app.toldTo(eve);
  expect([mail.length, sms.length]).toEqual([5, 4]);
  expect((await outcomes())['everybody']).toBe(1);
  await expect.poll(() => lines.join('')).toContain('alert-budget-spent');
});
