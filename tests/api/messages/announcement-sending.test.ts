import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { announce } from '#api/announcements/announce.ts';
import { type Announcement, announcementProgress } from '#api/announcements/announcements.ts';
import type { Delivery } from '#api/outbox/deliver.ts';
import { queueMessage } from '#api/outbox/queue.ts';
import { deliverDue, startSender } from '#api/outbox/sender.ts';
import { DeliveryUncertainError } from '#api/providers/http-client.ts';
import type { Mail } from '#api/providers/messages.ts';
import { messageKinds } from '#api/rooms.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { aMailKind } from '#tests/support/app/message-kinds.ts';
import { aNewsletter, aPace, openOwners, testDelivery } from '#tests/support/app/messages.ts';

let time = Date.parse('2026-11-20T01:00:00.000Z');
let app: TestApp;
let sent: { mail: Mail; id: string }[];

beforeAll(async () => {
  app = await testApp({ now: () => new Date(time) });
  await openOwners(app.deps, 20);
  await app.settle();
});
beforeEach(async () => {
  await app.deps.db.query('delete from state.outbox');
  sent = [];
});
afterAll(() => app?.close());

const tell = (announcement: Announcement) => announce(app.deps, announcement, aPace());
const taking = async (mail: Mail, id: string) => void sent.push({ mail, id });
const delivery = (send: Delivery['mail']['send'], other: Partial<Delivery> = {}) =>
  testDelivery(app, { mail: { name: 'test', send }, ...other });
/** A second later, when what was queued is due. */
function deliver(...given: Parameters<typeof delivery>): Promise<number> {
  time += 1_000;
  return deliverDue(delivery(...given));
}

describe('what may be out', () => {
  const uncertain = async (): Promise<never> => {
    throw new DeliveryUncertainError('test', 'said nothing');
  };

  test('is not sent again, and is reported as uncertain', async () => {
    const news = aNewsletter();
    await tell(news);
    expect(await deliver(uncertain)).toBe(20);
    time += 3_600_000;
    await deliver(taking);
    expect(sent).toEqual([]);
    expect(await announcementProgress(app.deps.db)).toMatchObject([
      { perhaps: 20, sent: 0, waiting: 0, dead: 0 },
    ]);
  });

  test('of other messages is tried again', async () => {
    const kinds = [aMailKind()];
    await queueMessage(app.deps.db, { id: crypto.randomUUID(), kind: 'test-mail', data: {} }, app.deps.now());
    await deliver(uncertain, { kinds });
    time += 60_000;
    await deliver(taking, { kinds });
    expect(sent).toHaveLength(1);
  });
});

test('what a person waits for overtakes an announcement', async () => {
  const news = aNewsletter();
  await tell(news);
  time += 1_000;
  const stuck = Promise.withResolvers<void>();
  const kinds = [...messageKinds, aMailKind()];
  const send = async (mail: Mail, id: string) => {
    await taking(mail, id);
    if (mail.subject === 'News') await stuck.promise;
  };
  const sender = startSender(delivery(send, { kinds }));
  try {
    await expect.poll(() => sent.length).toBe(4);
    await queueMessage(app.deps.db, { id: crypto.randomUUID(), kind: 'test-mail', data: {} }, app.deps.now());
    sender.notify();
    await expect.poll(() => sent.at(-1)?.mail.subject).toMatch(/^Message /);
    expect(sent).toHaveLength(5);
    stuck.resolve();
    await expect.poll(() => sent.length, { timeout: 20_000 }).toBe(21);
  } finally {
    stuck.resolve();
    await sender.stop();
  }
});
