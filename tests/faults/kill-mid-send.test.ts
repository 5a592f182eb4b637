import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { queueMessage } from '#api/messages/outbox/outbox.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { type MailServer, mailServer } from '#tests/support/servers/mail-server.ts';

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 2);
const TIMEOUT = 30_000;
const script = new URL('./outbox-worker.ts', import.meta.url).pathname;

let database: TestDatabase;
let server: MailServer;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await testDatabase();
  server = await mailServer();
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});
afterAll(async () => {
  await server?.close();
  await database?.close();
});

function startWorker(...fatal: string[]): ChildProcess {
  const child = spawn('bun', [script, database.url, server.url, ...fatal], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  children.push(child);
  return child;
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
  `killed ${ROUNDS} times before a message was handed over: it is sent once`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await queue();
      const [, signal] = await once(startWorker('composed'), 'exit');
      expect([signal, about(id)]).toEqual(['SIGKILL', []]);
      await leasesEnd();
      const next = startWorker();
      await expect.poll(sent, { timeout: TIMEOUT }).toContain(id);
      expect(about(id)).toHaveLength(1);
      next.kill('SIGKILL');
      await once(next, 'exit');
    }
  },
  ROUNDS * 100_000,
);

test(
  `killed ${ROUNDS} times between the server’s word and our own note of it: repeated once, under the same Message-ID`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await queue();
      const [, signal] = await once(startWorker('taken'), 'exit');
      expect([signal, about(id).length]).toEqual(['SIGKILL', 1]);
      await leasesEnd();
      const [one, other] = [startWorker(), startWorker()];
      await expect.poll(sent, { timeout: TIMEOUT }).toContain(id);
      const messageIds = about(id);
      expect(messageIds).toHaveLength(2);
      expect(new Set(messageIds).size).toBe(1);
      for (const child of [one, other]) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
  },
  ROUNDS * 100_000,
);
