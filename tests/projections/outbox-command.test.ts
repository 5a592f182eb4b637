import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { queueMessage } from '#api/outbox/queue.ts';
import { type TestDatabase, testDatabase } from '#tests/support/app/database.ts';
import { tempFolder } from '#tests/support/app/fixtures.ts';
import { runUte } from '#tests/support/processes/processes.ts';
import { type MailServer, mailServer } from '#tests/support/servers/mail-server.ts';
import { type ProviderServer, providerServer } from '#tests/support/servers/providers.ts';

const folder = tempFolder('outbox-command');
const dataKey = randomBytes(32).toString('base64');
let database: TestDatabase;
let mail: MailServer;
let sms: ProviderServer;

beforeAll(async () => {
  database = await testDatabase();
  mail = await mailServer();
  sms = providerServer(() => Response.json({}, { status: 202 }));
});
afterAll(async () => {
  await sms?.stop();
  await mail?.close();
  await database?.close();
  folder.remove();
});

const ute = (...words: string[]) =>
  runUte(
    {
      ...{ DATABASE_URL: database.url, DATA_DIR: folder.path, DATA_KEY: dataKey },
      ...{ SMTP_URL: mail.url, MAIL_FROM: 'Ute <hello@ute.example>' },
      ...{
        SMS: 'messagemedia',
        MESSAGEMEDIA_KEY: 'a-key',
        MESSAGEMEDIA_SECRET: 'a-secret',
        SMS_URL: sms.url,
      },
    },
    ...words,
  );

async function queue(status: 'waiting' | 'dead' | 'sent'): Promise<string> {
  const id = Bun.randomUUIDv7();
  const data = { revision: 0, insteadOfSms: true } as const;
  await queueMessage(database.pool, { id, kind: 'new-job-mail', jobId: 'job-1', data }, new Date());
  await database.pool.query('update state.outbox set delivery_status = $2, failure = $3 where id = $1', [
    ...[id, status, status === 'dead' ? 'smtp: answered 550 to RCPT TO' : null],
  ]);
  return id;
}

test('list names what waits and what is dead, and answers 1 while something is', async () => {
  const [waiting, sent, dead] = [await queue('waiting'), await queue('sent'), await queue('dead')];
  const { out, code } = await ute('outbox', 'list');
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(
    new RegExp(`^${waiting} new-job-mail waiting since \\S+, 0 tries next \\S+ job job-1$`),
  );
  expect(lines[1]).toContain(`${dead} new-job-mail dead since`);
  expect(lines[1]).toContain(': smtp: answered 550 to RCPT TO');
  expect(code).toBe(1);
  expect((await ute('outbox', 'list', '--all')).out).toContain(`${sent} new-job-mail sent`);
});

test('retry lets the dead wait again, and answers 1 when there are none', async () => {
  const { rows } = await database.pool.query(`select id from state.outbox where delivery_status = 'dead'`);
  const again = await ute('outbox', 'retry', 'all');
  expect(again).toMatchObject({ out: rows.map(({ id }) => `${id}: waits\n`).join(''), code: 0 });
  expect(await ute('outbox', 'retry', rows[0].id)).toMatchObject({ code: 1 });
});

test('test sends a mail or an SMS now, and says who took it', async () => {
  const mailed = await ute('outbox', 'test', '--to', 'Dave@acme.example');
  expect(mailed.out).toMatch(/^smtp took it in \d+ ms\n$/);
  expect(mail.received[0]).toMatchObject({
    to: ['dave@acme.example'],
    parsed: { subject: 'A test from Ute' },
  });
  expect((await ute('outbox', 'test', '--to', '0491 570 156')).out).toMatch(/^messagemedia took it/);
  expect(sms.requests[0]?.body.messages).toMatchObject([{ destination_number: '+61491570156' }]);
});

test('test says why it was not sent, and answers 1', async () => {
  mail.behave({ how: 'refuses', at: 'RCPT', code: 550 });
  expect(await ute('outbox', 'test', '--to', 'dave@acme.example')).toMatchObject({
    ...{ out: 'not sent: smtp: answered 550 to RCPT TO\n', code: 1 },
  });
});
