import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '#api/outbox/deliver.ts';
import { leaseDue } from '#api/outbox/deliveries.ts';
import { type NewMessage, queueMessage } from '#api/outbox/queue.ts';
import { deliverDue, type Sender, startSender } from '#api/outbox/sender.ts';
import { MessageRefusedError } from '#api/providers/http-client.ts';
import { type SignedIn, type TestApp, testApp } from '#tests/support/app/api.ts';
import { aMailKind } from '#tests/support/app/message-kinds.ts';
import { deliver, testDelivery } from '#tests/support/app/messages.ts';
import { requestedJob } from '#tests/support/scenarios/job-requests.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app?.close());

describe('sender', () => {
  const kinds = [aMailKind()];
  const senders: Sender[] = [];
  let taken: string[] = [];

  beforeEach(async () => {
    await app.deps.db.query('delete from state.outbox');
    taken = [];
  });
  afterEach(async () => {
    for (const sender of senders.splice(0)) await sender.stop();
  });

  function start(send: Delivery['mail']['send']): Sender {
    const sender = startSender(testDelivery(app, { kinds, mail: { name: 'test', send } }));
    senders.push(sender);
    return sender;
  }

  async function take(_mail: unknown, messageId: string): Promise<void> {
    taken.push(messageId.replace(/^<|@.*$/g, ''));
  }

  async function queue(amount: number): Promise<string[]> {
    const ids = Array.from({ length: amount }, () => Bun.randomUUIDv7());
    for (const id of ids)
      await queueMessage(app.deps.db, { id, kind: 'test-mail', data: {} }, app.deps.now());
    return ids;
  }

  async function deliveryStatuses(): Promise<Record<string, number>> {
    const { rows } = await app.deps.db.query(
      'select delivery_status as "deliveryStatus", count(*)::int as n from state.outbox group by 1',
    );
    return Object.fromEntries(rows.map(({ deliveryStatus, n }) => [deliveryStatus, n]));
  }

  test('senders side by side send everything, each message once', async () => {
    const ids = await queue(120);
    for (let n = 0; n < 4; n += 1) start(take);
    await expect.poll(deliveryStatuses, { timeout: 20_000 }).toEqual({ sent: 120 });
    expect(taken.toSorted()).toEqual(ids.toSorted());
  });

  test('what is queued later is sent as soon as the sender is woken, and also without that', async () => {
    const sender = start(take);
    await expect.poll(deliveryStatuses).toEqual({});
    const [woken] = await queue(1);
    sender.notify();
    await expect.poll(() => taken).toEqual([woken]);
    const [unannounced] = await queue(1);
    await expect.poll(() => taken, { timeout: 20_000 }).toEqual([woken, unannounced]);
  });

  test('a message that hangs holds up no other', async () => {
    const [hanging] = await queue(1);
    const release = Promise.withResolvers<void>();
    start(async (mail, id) => (id.includes(hanging ?? '') ? release.promise : take(mail, id)));
    const others = await queue(30);
    await expect.poll(() => taken.toSorted(), { timeout: 20_000 }).toEqual(others.toSorted());
    release.resolve();
    await expect.poll(deliveryStatuses).toEqual({ sent: 31 });
  });

  test('a stop lets what is under way end', async () => {
    await queue(1);
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const sender = start(async (mail, id) => {
      begun.resolve();
      await release.promise;
      await take(mail, id);
    });
    await begun.promise;
    const stopped = sender.stop();
    release.resolve();
    await stopped;
    expect(await deliveryStatuses()).toEqual({ sent: 1 });
  });

  test('what one sender leased is not another’s until the lease ends', async () => {
    const [id] = await queue(1);
    const lease = async () => {
      const leasing = { kinds: ['test-mail'], limit: 10, leaseMs: 600_000, now: app.deps.now() };
      return (await leaseDue(app.deps.db, leasing)).due;
    };
    expect(await lease()).toMatchObject([{ id, attempts: 1 }]);
    expect(await lease()).toEqual([]);
    await app.deps.db.query('update state.outbox set leased_until = clock_timestamp()');
    expect(await lease()).toMatchObject([{ id, attempts: 2 }]);
  });

  test('a sender whose lease is over does not reschedule what another sender has leased', async () => {
    const [id] = await queue(1);
    const slow = testDelivery(app, {
      kinds,
      lease: 1,
      mail: {
        name: 'test',
        async send(mail, messageId) {
          await take(mail, messageId);
          if (taken.length > 1) return;
          await expect
            .poll(() => deliverDue(testDelivery(app, { kinds, mail: { name: 'test', send: take } })))
            .toBe(1);
          throw new Error('lost');
        },
      },
    });
    await deliverDue(slow);
    expect(taken).toEqual([id, id]);
    expect(await deliveryStatuses()).toEqual({ sent: 1 });
  });
});

describe('undelivered', () => {
  let acme: SignedIn;
  let ponsonby: SignedIn;
  let jobId: string;
  const id = Bun.randomUUIDv7();

  beforeAll(async () => {
    [acme, ponsonby] = [await app.signIn(), await app.signIn()];
    jobId = await requestedJob(app, acme);
    await deliver(app);
    const message = { id, kind: 'request-receipt', businessId: acme.businessId, jobId, data: {} };
    // The test queues what else follows from an event alone.
    await queueMessage(app.deps.db, message as unknown as NewMessage, app.deps.now());
    const send = () => Promise.reject(new MessageRefusedError('smtp', 'answered 550 to RCPT TO', 550));
    const kinds = [aMailKind({ kind: 'request-receipt' })];
    await deliverDue(testDelivery(app, { kinds, mail: { name: 'test', send } }));
  });

  test('a job’s history says what could not be delivered, in its place, and not to whom', async () => {
    const { history } = (await acme.get(`/api/jobs/${jobId}/history`)).body;
    expect(history[0]).toEqual({
      ...{ what: 'undelivered', id, revision: null, from: null, to: null, undo: false },
      at: expect.any(String),
      who: { kind: 'ute', name: 'Ute' },
      text: 'The receipt to the customer could not be delivered',
    });
    await acme.put(`/api/jobs/${jobId}/accept`);
    const after = (await acme.get(`/api/jobs/${jobId}/history`)).body.history;
    expect(after.map(({ what }: { what: string }) => what).slice(0, 2)).toEqual(['accepted', 'undelivered']);
  });

  test('no other business is notified', async () => {
    expect((await ponsonby.get(`/api/jobs/${jobId}/history`)).status).toBe(404);
  });

  test('metrics count what is dead and what waits', async () => {
    const { text } = await app.get('/api/metrics');
    expect(text).toMatch(/^ute_outbox_messages\{delivery_status="dead"\} 1$/m);
    expect(text).toMatch(/^ute_outbox_messages\{delivery_status="waiting"\} \d+$/m);
    expect(text).toMatch(/^ute_outbox_oldest_waiting_seconds \d/m);
  });
});
