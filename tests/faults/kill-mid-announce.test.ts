import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Announcement } from '#api/announcements/announcements.ts';
import { leaseDue } from '#api/outbox/deliveries.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import { type SmtpSettings, smtpMail } from '#api/providers/mail.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { testConfig } from '#tests/support/app/fixtures.ts';
import { type Owner, openOwners, testDelivery } from '#tests/support/app/messages.ts';
import { workersOf } from '#tests/support/processes/workers.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';
import { type MailServer, mailServer } from '#tests/support/servers/mail-server.ts';
import type { AnnounceOrder } from './announce-worker.ts';

const OWNERS = 60;
const script = new URL('./announce-worker.ts', import.meta.url).pathname;

let app: TestApp;
let server: MailServer;
let owners: Owner[];
const announcing = workersOf<AnnounceOrder, 'announced'>(script, () => [
  ...[app.databaseUrl, app.deps.config.keys.data.toString('hex')],
]);
beforeAll(async () => {
  [app, server] = [await testApp(), await mailServer()];
  owners = await openOwners(app.deps, OWNERS);
  await app.settle();
});
afterAll(async () => {
  await announcing.close();
  await server?.close();
  await app?.close();
});

const run = (announcement: Announcement, fatal: number) => announcing.carryOut({ announcement, fatal });

function mailOf(settings = testConfig({ SMTP_URL: server.url, MAIL_FROM: 'Ute <hello@ute.example>' }).mail) {
  return smtpMail(settings as SmtpSettings);
}
const recipientsOf = (subject: string) =>
  server.received.filter(({ parsed }) => parsed.subject === subject).map(({ to }) => to[0]);

test(
  `killed ${faultTimes} in the middle and begun anew, twice at once, it reaches everybody once`,
  async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      const subject = `Round ${round}`;
      const news: Announcement = { id: `round-${round}`, kind: 'newsletter', subject, body: 'News.' };
      expect(await run(news, 1 + ((round * 37 + 17) % OWNERS))).toBe('SIGKILL');
      const mail = mailOf();
      await deliverDue(testDelivery(app, { mail }));
      expect(await run(news, 5)).toBe('SIGKILL');
      expect(await Promise.all([run(news, 0), run(news, 0)])).toEqual(['announced', 'announced']);
      await Promise.all([deliverDue(testDelivery(app, { mail })), deliverDue(testDelivery(app, { mail }))]);
      await mail.close?.();
      expect(recipientsOf(subject).toSorted()).toEqual(owners.map(({ email }) => email).toSorted());
    }
  },
  faultRounds * 60_000,
);

test('a sender that was killed with some in its hands leaves those alone: no account gets it twice', async () => {
  const news: Announcement = { id: 'dropped', kind: 'newsletter', subject: 'Dropped', body: 'News.' };
  expect(await run(news, 0)).toBe('announced');
  const { db, now } = app.deps;
  const { due: inHand } = await leaseDue(db, { kinds: ['announcement'], limit: 8, leaseMs: 1, now: now() });
  const mail = mailOf();
  const left = async () =>
    (await db.query(`select 1 from state.outbox where leased_until > clock_timestamp()`)).rowCount;
  await expect.poll(left).toBe(0);
  await deliverDue(testDelivery(app, { mail }));
  await mail.close?.();
  expect(recipientsOf('Dropped')).toHaveLength(OWNERS - inHand.length);
  const { rows } = await db.query(`select failure, data from state.outbox where id = any($1)`, [
    inHand.map(({ id }) => id),
  ]);
  expect(rows).toEqual(
    inHand.map(() => ({ failure: 'the process ended while it was being sent', data: {} })),
  );
});
