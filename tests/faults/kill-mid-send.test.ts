import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueMessage } from '#api/outbox/queue.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { startWorker, type Worker } from '#tests/support/processes/workers.ts';
import { faultRounds, faultTimes } from '#tests/support/run/fault-rounds.ts';
import { type MailServer, mailServer } from '#tests/support/servers/mail-server.ts';
import type { SendOrder } from './outbox-worker.ts';

const TIMEOUT = 30_000;
const script = new URL('./outbox-worker.ts', import.meta.url).pathname;

let database: TestDatabase;
let server: MailServer;
type Sender = Worker<SendOrder, null>;
const senders: Sender[] = [];
/** The one that sent what a killed one left: the next to be killed. */
let survivor: Sender | undefined;

beforeAll(async () => {
  database = await testDatabase();
  server = await mailServer();
});
afterAll(async () => {
  await Promise.all(senders.map((sender) => sender.kill()));
  await server?.close();
  await database?.close();
});

function startSender(): Sender {
  const sender: Sender = startWorker(script, [database.url, server.url]);
  senders.push(sender);
  return sender;
}

/** Queues a message for a sender that dies of it; answers its id, and the signal that ended the sender. */
async function queueFor(death: SendOrder): Promise<[id: string, signal: NodeJS.Signals | null]> {
  const sender = survivor ?? startSender();
  survivor = undefined;
  expect(await sender.carryOut(death)).toBeNull();
  const id = await queue();
  return [id, await sender.ended];
}

async function queue(): Promise<string> {
  const id = Bun.randomUUIDv7();
  await queueMessage(database.pool, { id, kind: 'test-mail', data: {} }, new Date());
  return id;
}

/** As time does: the lease of a message ends whose sender did not report. */
async function leasesEnd(): Promise<void> {
  await database.pool.query(
    'update state.outbox set leased_until = clock_timestamp() where leased_until is not null',
  );
}

async function sent(): Promise<string[]> {
  const { rows } = await database.pool.query(
    `select id from state.outbox where delivery_status = 'sent' order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Message-IDs of everything that the server was given about a message. */
const about = (id: string) =>
  server.received.flatMap(({ parsed }) => (parsed.messageId?.includes(id) ? parsed.messageId : []));

test(
  `killed ${faultTimes} before a message was handed over: it is sent once`,
  async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      const [id, signal] = await queueFor('composed');
      expect([signal, about(id)]).toEqual(['SIGKILL', []]);
      await leasesEnd();
      const next = startSender();
      await expect.poll(sent, { timeout: TIMEOUT }).toContain(id);
      expect(about(id)).toHaveLength(1);
      survivor = next;
    }
  },
  faultRounds * 100_000,
);

test(
  `killed ${faultTimes} between the server’s word and our own note of it: repeated once, under the same Message-ID`,
  async () => {
    for (let round = 0; round < faultRounds; round += 1) {
      const [id, signal] = await queueFor('taken');
      expect([signal, about(id).length]).toEqual(['SIGKILL', 1]);
      await leasesEnd();
      const [one, other] = [startSender(), startSender()];
      await expect.poll(sent, { timeout: TIMEOUT }).toContain(id);
      const messageIds = about(id);
      expect(messageIds).toHaveLength(2);
      expect(new Set(messageIds).size).toBe(1);
      await other.kill();
      survivor = one;
    }
  },
  faultRounds * 100_000,
);
