import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Delivery } from '#api/outbox/deliver.ts';
import { outboxFigures, retryDead, undeliveredAbout } from '#api/outbox/delivery-status.ts';
import { mailOf } from '#api/outbox/mail-layout.ts';
import type { MessageKind } from '#api/outbox/message-kind.ts';
import { type NewMessage, queueMessage } from '#api/outbox/queue.ts';
import { deliverDue } from '#api/outbox/sender.ts';
import { MessageRefusedError, ProviderError } from '#api/providers/http-client.ts';
import { inTransaction } from '#core/postgres/transaction.ts';
import { type TestApp, testApp } from '#tests/support/app/api.ts';
import { aMailKind, anSmsKind } from '#tests/support/app/message-kinds.ts';
import { testDelivery } from '#tests/support/app/messages.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let app: TestApp;
let now = new Date('2026-03-02T09:00:00Z');
let log: string[] = [];
/** Ids that the provider was given, in order, and what it says to the next. */
let taken: string[] = [];
let says: () => Promise<void>;

beforeAll(async () => {
  app = await testApp({ now: () => now, log: (line) => log.push(line) });
});
afterAll(() => app?.close());
beforeEach(async () => {
  await app.deps.db.query('delete from state.outbox');
  now = new Date('2026-03-02T09:00:00Z');
  [log, taken] = [[], []];
  says = async () => {};
});

const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};

function delivery(...kinds: MessageKind[]): Delivery {
  const take = async (_message: unknown, id: string) => {
    taken.push(id.replace(/^<|@.*$/g, ''));
    await says();
  };
  return testDelivery(app, {
    kinds: kinds.length > 0 ? kinds : [aMailKind(), anSmsKind()],
    mail: { name: 'test', send: take },
    sms: { name: 'test', send: take },
    random: () => 0,
  });
}

async function queue(
  message: Partial<NewMessage<'test-mail' | 'test-sms' | 'from-the-next-release'>> = {},
): Promise<string> {
  const id = message.id ?? Bun.randomUUIDv7();
  await queueMessage(app.deps.db, { id, kind: 'test-mail', data: { accountId: 'a-1' }, ...message }, now);
  return id;
}

async function row(id: string) {
  const { rows } = await app.deps.db.query(
    'select *, delivery_status as "deliveryStatus", due_at as "dueAt" from state.outbox where id = $1',
    [id],
  );
  return rows[0];
}
const message = async (id: string) => (await row(id)) ?? null;

describe('a message', () => {
  test('is sent once, and nothing of what it was made from stays', async () => {
    const id = await queue();
    expect(await deliverDue(delivery())).toBe(1);
    expect(await deliverDue(delivery())).toBe(0);
    expect(taken).toEqual([id]);
    expect(await row(id)).toMatchObject({
      deliveryStatus: 'sent',
      data: {},
      failure: null,
      leased_until: null,
    });
  });

  test('queued again under its id is still that one', async () => {
    const id = await queue();
    await queue({ id });
    await deliverDue(delivery());
    await queue({ id });
    await deliverDue(delivery());
    expect(taken).toEqual([id]);
  });

  test('is there if and only if its transaction commits', async () => {
    const id = Bun.randomUUIDv7();
    const failing = inTransaction(app.deps.db, async (db) => {
      await queueMessage(db, { id, kind: 'test-mail', data: {} }, now);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await message(id)).toBeNull();
  });

  test('waits until it is wanted', async () => {
    const id = await queue({ notBefore: new Date(now.getTime() + MINUTE) });
    expect(await deliverDue(delivery())).toBe(0);
    later(MINUTE);
    await deliverDue(delivery());
    expect(taken).toEqual([id]);
  });

  test('that expired is not sent, nor brought back', async () => {
    const id = await queue({ kind: 'test-sms', expiresAt: new Date(now.getTime() + 10 * MINUTE) });
    later(10 * MINUTE);
    expect(await deliverDue(delivery())).toBe(0);
    expect(await message(id)).toMatchObject({ deliveryStatus: 'dead', failure: 'was not sent in time' });
    expect(await retryDead(app.deps.db, 'all', now)).toEqual([]);
  });

  test('that will expire goes before what can wait', async () => {
    const patient = [await queue(), await queue()];
    const urgent = await queue({ kind: 'test-sms', expiresAt: new Date(now.getTime() + 10 * MINUTE) });
    const one = delivery();
    says = async () => expect(taken[0]).toBe(urgent);
    await deliverDue(one);
    expect(taken.toSorted()).toEqual([...patient, urgent].toSorted());
  });

  test('that is not wanted any more is dropped', async () => {
    const id = await queue();
    await deliverDue(delivery(aMailKind({ compose: async () => null })));
    expect(taken).toEqual([]);
    expect(await row(id)).toMatchObject({ deliveryStatus: 'discarded', data: {} });
  });

  test('of a kind that this process does not know waits for one that does', async () => {
    const id = await queue({ kind: 'from-the-next-release' });
    expect(await deliverDue(delivery())).toBe(0);
    expect(await message(id)).toMatchObject({ deliveryStatus: 'waiting', attempts: 0 });
  });

  test('carries ids and instants', async () => {
    const data = { id: Bun.randomUUIDv7(), at: now.toISOString(), revision: 3, again: false };
    const id = await queue({ data });
    expect((await row(id)).data).toEqual(data);
  });
});

describe('what fails', () => {
  test('is tried again after longer and longer, and says why without saying to whom', async () => {
    const id = await queue();
    says = () => Promise.reject(new ProviderError('smtp', 'answered 451 to DATA', 451));
    const tries: number[] = [];
    for (let step = 0; step < 20; step += 1) {
      await deliverDue(delivery());
      const { dueAt } = (await message(id)) ?? { dueAt: now };
      if (taken.length > tries.length) tries.push((dueAt.getTime() - now.getTime()) / 1_000);
      now = dueAt;
    }
    expect(tries.slice(0, 12)).toEqual([4, 8, 16, 32, 64, 128, 256, 512, 1_024, 1_800, 1_800, 1_800]);
    expect(await message(id)).toMatchObject({
      failure: 'smtp: answered 451 to DATA',
      deliveryStatus: 'waiting',
    });
    says = async () => {};
    await deliverDue(delivery());
    expect(await message(id)).toMatchObject({ deliveryStatus: 'sent', failure: null });
  });

  test('is dead after a day, is counted and listed, and can be tried for another day', async () => {
    const jobId = Bun.randomUUIDv7();
    const id = await queue({ jobId });
    says = () => Promise.reject(new ProviderError('smtp', 'cannot be reached'));
    await deliverDue(delivery());
    later(24 * HOUR - 1);
    await deliverDue(delivery());
    expect(await message(id)).toMatchObject({ deliveryStatus: 'waiting', attempts: 2 });
    expect(await outboxFigures(app.deps.db, now)).toMatchObject({ waiting: 1, dead: 0 });
    later(HOUR);
    expect(await deliverDue(delivery())).toBe(0);
    expect(await message(id)).toMatchObject({ deliveryStatus: 'dead', failure: 'smtp: cannot be reached' });
    expect(await outboxFigures(app.deps.db, now)).toEqual({
      ...{ waiting: 0, held: 0, dead: 1, oldestWaitingSeconds: 0 },
    });
    expect(await undeliveredAbout(app.deps.db, jobId)).toMatchObject([{ id, kind: 'test-mail' }]);
    expect(log.join('')).toContain('"event":"message-dead"');

    expect(await retryDead(app.deps.db, Bun.randomUUIDv7(), now)).toEqual([]);
    expect(await retryDead(app.deps.db, id, now)).toEqual([id]);
    says = async () => {};
    await deliverDue(delivery());
    expect(await message(id)).toMatchObject({ deliveryStatus: 'sent' });
    expect(await undeliveredAbout(app.deps.db, jobId)).toEqual([]);
  });

  test('for good is dead at once', async () => {
    const id = await queue();
    says = () => Promise.reject(new MessageRefusedError('smtp', 'answered 550 to RCPT TO', 550));
    expect(await deliverDue(delivery())).toBe(1);
    expect(await message(id)).toMatchObject({ deliveryStatus: 'dead', attempts: 1 });
  });

  test('while it is composed is tried again, and no exception text is stored', async () => {
    const id = await queue();
    const compose = () => Promise.reject(new Error('no customer dave@acme.example'));
    await deliverDue(delivery(aMailKind({ compose })));
    expect(await message(id)).toMatchObject({ deliveryStatus: 'waiting', failure: 'Error' });
    expect(log.join('')).not.toContain('dave');
  });

  test('by taking too long is tried again', async () => {
    const id = await queue();
    says = () => new Promise(() => {});
    await deliverDue({ ...delivery(), timeout: 20 });
    expect(await message(id)).toMatchObject({ deliveryStatus: 'waiting', failure: 'outbox: took too long' });
  });
});

test('a mail that would have a second header is never sent', async () => {
  const whole = mailOf({ to: 'dave@acme.example', subject: 'Hello', heading: 'x', paragraphs: [], why: 'x' });
  const id = await queue();
  const compose = async () => ({ ...whole, subject: 'Hello\r\nBcc: evil@x.example' });
  await deliverDue(delivery(aMailKind({ compose })));
  expect(taken).toEqual([]);
  expect(await message(id)).toMatchObject({ deliveryStatus: 'dead', attempts: 1 });
});

test('a database that was unavailable for a moment after the provider took it makes nothing twice', async () => {
  const id = await queue();
  let refusals = 2;
  const { db } = app.deps;
  const query = (...args: Parameters<typeof db.query>) => {
    const isSettling = String(args[0]).includes("delivery_status = 'sent'");
    if (!isSettling || refusals-- <= 0) return db.query(...args);
    return Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }));
  };
  const flaky = { query } as unknown as typeof db;
  const one = delivery();
  await deliverDue({ ...one, deps: { ...one.deps, db: flaky } });
  expect(taken).toEqual([id]);
  expect(await message(id)).toMatchObject({ deliveryStatus: 'sent' });
});
